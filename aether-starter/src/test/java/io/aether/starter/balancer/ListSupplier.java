// SPDX-License-Identifier: Apache-2.0
package io.aether.starter.balancer;

import io.aether.starter.testing.Apps;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.springframework.beans.factory.support.StaticListableBeanFactory;
import org.springframework.cloud.client.ServiceInstance;
import org.springframework.cloud.client.loadbalancer.Request;
import org.springframework.cloud.loadbalancer.core.SelectedInstanceCallback;
import org.springframework.cloud.loadbalancer.core.ServiceInstanceListSupplier;
import reactor.core.publisher.Flux;

/** A list as one of Spring's suppliers gives it, which also hears of what was chosen, and balancers over it. */
final class ListSupplier implements ServiceInstanceListSupplier, SelectedInstanceCallback {
    List<ServiceInstance> list = List.of();
    final List<ServiceInstance> selected = new ArrayList<>();

    AetherLoadBalancer balancer(ServiceFleets fleets) {
        StaticListableBeanFactory beans = new StaticListableBeanFactory(Map.of("supplier", this));
        return new AetherLoadBalancer(beans.getBeanProvider(ServiceInstanceListSupplier.class), Apps.SERVICE, fleets);
    }

    static ServiceInstance choose(AetherLoadBalancer balancer, Request<?> request) {
        return Objects.requireNonNull(
                Objects.requireNonNull(balancer.choose(request).block()).getServer());
    }

    @Override
    public String getServiceId() {
        return Apps.SERVICE;
    }

    @Override
    public Flux<List<ServiceInstance>> get() {
        return Flux.just(list);
    }

    @Override
    public void selectedServiceInstance(ServiceInstance instance) {
        selected.add(instance);
    }
}

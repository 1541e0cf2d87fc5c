// SPDX-License-Identifier: Apache-2.0
package io.aether.starter.balancer;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.BeansException;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.cloud.client.ServiceInstance;
import org.springframework.cloud.client.loadbalancer.Request;
import org.springframework.cloud.loadbalancer.core.ServiceInstanceListSupplier;
import reactor.core.publisher.Flux;

/** Lets Spring's balancer choose from a list that was fetched already, so that the real supplier is asked once per request. */
final class HandedOver implements ServiceInstanceListSupplier {

    /** A request that carries its list. */
    record Choice(Request<?> request, List<ServiceInstance> list) implements Request<Object> {
        @Override
        public Object getContext() {
            return request.getContext();
        }
    }

    private final String service;

    HandedOver(String service) {
        this.service = service;
    }

    @Override
    public String getServiceId() {
        return service;
    }

    @Override
    @SuppressWarnings("rawtypes")
    public Flux<List<ServiceInstance>> get(Request request) {
        return request instanceof Choice choice ? Flux.just(choice.list()) : Flux.empty();
    }

    @Override
    public Flux<List<ServiceInstance>> get() {
        return Flux.empty();
    }

    ObjectProvider<ServiceInstanceListSupplier> provider() {
        return new ObjectProvider<>() {
            @Override
            public ServiceInstanceListSupplier getObject() throws BeansException {
                return HandedOver.this;
            }

            @Override
            public ServiceInstanceListSupplier getObject(@Nullable Object... args) throws BeansException {
                return HandedOver.this;
            }

            @Override
            public ServiceInstanceListSupplier getIfAvailable() throws BeansException {
                return HandedOver.this;
            }
        };
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.aether.bench.peers.client;

import java.net.InetSocketAddress;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.springframework.cloud.client.DefaultServiceInstance;
import org.springframework.cloud.client.ServiceInstance;
import org.springframework.cloud.client.loadbalancer.DefaultRequest;
import org.springframework.cloud.client.loadbalancer.Request;
import org.springframework.cloud.loadbalancer.core.RoundRobinLoadBalancer;
import org.springframework.cloud.loadbalancer.support.ServiceInstanceListSuppliers;

/** Spring Cloud LoadBalancer's default. */
final class SpringPicker implements Picker {
    private static final String SERVICE = "service";

    private final Request<?> request = new DefaultRequest<>();
    private final RoundRobinLoadBalancer balancer;

    SpringPicker(List<InetSocketAddress> servers) {
        ServiceInstance[] instances = IntStream.range(0, servers.size())
                .mapToObj(i -> new DefaultServiceInstance(
                        Integer.toString(i),
                        SERVICE,
                        servers.get(i).getHostString(),
                        servers.get(i).getPort(),
                        false))
                .toArray(ServiceInstance[]::new);
        balancer = new RoundRobinLoadBalancer(ServiceInstanceListSuppliers.toProvider(SERVICE, instances), SERVICE);
    }

    @Override
    public Pick pick(int not) {
        int server = choose();
        return new Chosen(server == not ? choose() : server);
    }

    private int choose() {
        ServiceInstance instance = Objects.requireNonNull(
                Objects.requireNonNull(balancer.choose(request).block()).getServer());
        return Integer.parseInt(instance.getInstanceId());
    }

    /** It learns nothing. */
    record Chosen(int server) implements Pick {
        @Override
        public void answered(int status) {}

        @Override
        public void failed(boolean refused) {}
    }
}

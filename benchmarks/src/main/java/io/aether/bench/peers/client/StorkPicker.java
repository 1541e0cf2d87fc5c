// SPDX-License-Identifier: Apache-2.0
package io.aether.bench.peers.client;

import io.smallrye.stork.api.LoadBalancer;
import io.smallrye.stork.api.ServiceInstance;
import io.smallrye.stork.impl.DefaultServiceInstance;
import io.smallrye.stork.loadbalancer.leastresponsetime.LeastResponseTimeConfiguration;
import io.smallrye.stork.loadbalancer.leastresponsetime.LeastResponseTimeLoadBalancer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.stream.IntStream;

/** SmallRye Stork's {@code least-response-time} with its defaults. */
final class StorkPicker implements Picker {
    private final LoadBalancer balancer = new LeastResponseTimeLoadBalancer(new LeastResponseTimeConfiguration());
    private final List<ServiceInstance> instances;

    StorkPicker(List<InetSocketAddress> servers) {
        instances = IntStream.range(0, servers.size())
                .<ServiceInstance>mapToObj(i -> new DefaultServiceInstance(
                        i, servers.get(i).getHostString(), servers.get(i).getPort(), false))
                .toList();
    }

    /** Choosing and starting are one, as its own {@code Service} sees to. */
    @Override
    public synchronized Pick pick(int not) {
        List<ServiceInstance> candidates = not == NOBODY
                ? instances
                : instances.stream().filter(instance -> instance.getId() != not).toList();
        ServiceInstance instance = balancer.selectServiceInstance(candidates);
        instance.recordStart(true);
        return new Chosen(instance, (int) instance.getId());
    }

    private record Chosen(ServiceInstance instance, int server) implements Pick {
        @Override
        public void answered(int status) {
            instance.recordReply();
            if (Picker.wrong(status)) {
                instance.recordEnd(new IOException("status " + status));
            } else {
                instance.recordEnd(null);
            }
        }

        @Override
        public void failed(boolean refused) {
            instance.recordEnd(new IOException("no answer"));
        }
    }
}

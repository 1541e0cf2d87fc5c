// SPDX-License-Identifier: Apache-2.0
package io.aether.starter.limit.blocking;

import java.io.IOException;
import org.springframework.cloud.client.ServiceInstance;
import org.springframework.cloud.client.loadbalancer.LoadBalancerRequest;
import org.springframework.cloud.client.loadbalancer.reactive.ReactiveLoadBalancer;
import org.springframework.cloud.loadbalancer.blocking.client.BlockingLoadBalancerClient;

/**
 * Spring's blocking load balancer, whose requests ask their branch's limiter before an instance is chosen. It takes the place of
 * Spring's bean.
 */
public final class AskingLoadBalancerClient extends BlockingLoadBalancerClient {

    /** Creates the client. */
    public AskingLoadBalancerClient(ReactiveLoadBalancer.Factory<ServiceInstance> clients) {
        super(clients);
    }

    @Override
    public <T> T execute(String service, LoadBalancerRequest<T> request) throws IOException {
        if (!(request instanceof Asking asking)) {
            return super.execute(service, request);
        }
        asking.ask();
        try {
            return super.execute(service, request);
        } finally {
            asking.settle(); // There may have been no instance to send it to.
        }
    }
}

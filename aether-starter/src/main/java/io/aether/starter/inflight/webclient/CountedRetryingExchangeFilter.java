// SPDX-License-Identifier: Apache-2.0
package io.aether.starter.inflight.webclient;

import io.aether.starter.inflight.Flights;
import java.util.List;
import org.springframework.cloud.client.ServiceInstance;
import org.springframework.cloud.client.loadbalancer.reactive.LoadBalancerClientRequestTransformer;
import org.springframework.cloud.client.loadbalancer.reactive.LoadBalancerRetryPolicy;
import org.springframework.cloud.client.loadbalancer.reactive.ReactiveLoadBalancer;
import org.springframework.cloud.client.loadbalancer.reactive.RetryableLoadBalancerExchangeFilterFunction;
import org.springframework.web.reactive.function.client.ClientRequest;
import org.springframework.web.reactive.function.client.ClientResponse;
import org.springframework.web.reactive.function.client.ExchangeFunction;
import reactor.core.publisher.Mono;

/** Spring's retrying load-balancer filter of WebClient, with each attempt counted. It takes the place of Spring's bean. */
public final class CountedRetryingExchangeFilter extends RetryableLoadBalancerExchangeFilterFunction {

    private final Flights flights;

    /** Creates the filter. */
    public CountedRetryingExchangeFilter(
            LoadBalancerRetryPolicy.Factory retries,
            ReactiveLoadBalancer.Factory<ServiceInstance> clients,
            List<LoadBalancerClientRequestTransformer> transformers,
            Flights flights) {
        super(retries, clients, transformers);
        this.flights = flights;
    }

    @Override
    public Mono<ClientResponse> filter(ClientRequest request, ExchangeFunction next) {
        return TripExchange.run(flights, request, next, super::filter);
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.aether.starter.inflight.webclient;

import java.util.List;
import org.springframework.cloud.client.ServiceInstance;
import org.springframework.cloud.client.loadbalancer.Request;
import org.springframework.cloud.client.loadbalancer.RequestDataContext;
import org.springframework.cloud.client.loadbalancer.Response;
import org.springframework.cloud.client.loadbalancer.reactive.LoadBalancerClientRequestTransformer;
import org.springframework.cloud.client.loadbalancer.reactive.ReactiveLoadBalancer;
import org.springframework.cloud.client.loadbalancer.reactive.ReactorLoadBalancerExchangeFilterFunction;
import org.springframework.web.reactive.function.client.ClientRequest;
import org.springframework.web.reactive.function.client.ClientResponse;
import org.springframework.web.reactive.function.client.ExchangeFunction;
import reactor.core.publisher.Mono;

/** Spring's load-balancer filter of WebClient, with its requests counted and limited. It takes the place of Spring's bean. */
public final class CountedExchangeFilter extends ReactorLoadBalancerExchangeFilterFunction {

    private final Counting counting;

    /** Creates the filter. */
    public CountedExchangeFilter(
            ReactiveLoadBalancer.Factory<ServiceInstance> clients,
            List<LoadBalancerClientRequestTransformer> transformers,
            Counting counting) {
        super(clients, transformers);
        this.counting = counting;
    }

    @Override
    public Mono<ClientResponse> filter(ClientRequest request, ExchangeFunction next) {
        return TripExchange.run(counting, request, next, super::filter);
    }

    @Override
    protected Mono<Response<ServiceInstance>> choose(String service, Request<RequestDataContext> request) {
        return TripExchange.ask(request, () -> super.choose(service, request));
    }
}

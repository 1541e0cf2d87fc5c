// SPDX-License-Identifier: Apache-2.0
package io.aether.starter.inflight.webclient;

import io.aether.starter.limit.Passage;
import io.aether.starter.limit.webclient.GrantedRetryPolicy;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.cloud.client.ServiceInstance;
import org.springframework.cloud.client.loadbalancer.Request;
import org.springframework.cloud.client.loadbalancer.Response;
import org.springframework.cloud.client.loadbalancer.RetryableRequestContext;
import org.springframework.cloud.client.loadbalancer.reactive.LoadBalancerClientRequestTransformer;
import org.springframework.cloud.client.loadbalancer.reactive.LoadBalancerRetryPolicy;
import org.springframework.cloud.client.loadbalancer.reactive.ReactiveLoadBalancer;
import org.springframework.cloud.client.loadbalancer.reactive.RetryableLoadBalancerExchangeFilterFunction;
import org.springframework.web.reactive.function.client.ClientRequest;
import org.springframework.web.reactive.function.client.ClientResponse;
import org.springframework.web.reactive.function.client.ExchangeFunction;
import reactor.core.publisher.Mono;

/**
 * Spring's retrying load-balancer filter of WebClient, with each attempt counted and limited. It takes the place of Spring's
 * bean. Spring's policies do not learn which call they judge, so each call has a filter with a policy of its own.
 */
public final class CountedRetryingExchangeFilter extends RetryableLoadBalancerExchangeFilterFunction {

    private final LoadBalancerRetryPolicy.Factory retries;
    private final ReactiveLoadBalancer.Factory<ServiceInstance> clients;
    private final List<LoadBalancerClientRequestTransformer> transformers;
    private final Counting counting;

    /** Creates the filter. */
    public CountedRetryingExchangeFilter(
            LoadBalancerRetryPolicy.Factory retries,
            ReactiveLoadBalancer.Factory<ServiceInstance> clients,
            List<LoadBalancerClientRequestTransformer> transformers,
            Counting counting) {
        super(retries, clients, transformers);
        this.retries = retries;
        this.clients = clients;
        this.transformers = transformers;
        this.counting = counting;
    }

    @Override
    public Mono<ClientResponse> filter(ClientRequest request, ExchangeFunction next) {
        return TripExchange.run(counting, request, next, this::call);
    }

    private Mono<ClientResponse> call(ClientRequest request, ExchangeFunction next) {
        Passage passage = request.attributes().get(Passage.ATTRIBUTE) instanceof Passage found ? found : null;
        return new Call(passage).filter(request, next);
    }

    /** The filter of one call. */
    private final class Call extends RetryableLoadBalancerExchangeFilterFunction {

        Call(@Nullable Passage passage) {
            super(GrantedRetryPolicy.factory(retries, passage), clients, transformers);
        }

        @Override
        protected Mono<Response<ServiceInstance>> choose(String service, Request<RetryableRequestContext> request) {
            return TripExchange.ask(request, () -> super.choose(service, request));
        }
    }
}

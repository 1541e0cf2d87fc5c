// SPDX-License-Identifier: Apache-2.0
package io.aether.starter.limit.gateway;

import io.aether.starter.context.RequestContexts;
import io.aether.starter.limit.BranchLimits;
import io.aether.starter.limit.NotSentException;
import io.aether.starter.limit.Passage;
import java.net.URI;
import org.jspecify.annotations.Nullable;
import org.springframework.cloud.gateway.filter.GatewayFilterChain;
import org.springframework.cloud.gateway.filter.GlobalFilter;
import org.springframework.cloud.gateway.filter.ReactiveLoadBalancerClientFilter;
import org.springframework.cloud.gateway.support.ServerWebExchangeUtils;
import org.springframework.core.Ordered;
import org.springframework.http.HttpStatusCode;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Mono;
import reactor.util.context.ContextView;

/**
 * Asks the limiter of its branch for each attempt of an {@code lb:} route, right before the balancer chooses. What is held back
 * is an error, so that a route's circuit breaker may fall back; unhandled, it is 503 with Retry-After.
 */
public final class LimitFilter implements GlobalFilter, Ordered {

    private static final String BALANCED = "lb";

    private final BranchLimits limits;

    /** Creates the filter. */
    public LimitFilter(BranchLimits limits) {
        this.limits = limits;
    }

    @Override
    public int getOrder() {
        return ReactiveLoadBalancerClientFilter.LOAD_BALANCER_CLIENT_FILTER_ORDER - 1;
    }

    @Override
    public Mono<Void> filter(ServerWebExchange exchange, GatewayFilterChain chain) {
        URI url = balanced(exchange);
        if (url == null) {
            return chain.filter(exchange);
        }
        return Mono.deferContextual(context -> attempt(exchange, chain, passage(exchange, url, context)));
    }

    /** Where an exchange of an {@code lb:} route goes, with the service's id as the host; null for other routes. */
    public static @Nullable URI balanced(ServerWebExchange exchange) {
        URI url = exchange.getAttribute(ServerWebExchangeUtils.GATEWAY_REQUEST_URL_ATTR);
        String prefix = exchange.getAttribute(ServerWebExchangeUtils.GATEWAY_SCHEME_PREFIX_ATTR);
        return url != null && (BALANCED.equals(url.getScheme()) || BALANCED.equals(prefix)) ? url : null;
    }

    /** The exchange's passage, made if there is none. All attempts of an exchange are one call. */
    public Passage passage(ServerWebExchange exchange, URI url, ContextView context) {
        Passage known = exchange.getAttribute(Passage.ATTRIBUTE);
        if (known != null) {
            return known;
        }
        Passage passage = limits.call(url, RequestContexts.current(context));
        exchange.getAttributes().put(Passage.ATTRIBUTE, passage);
        return passage;
    }

    private static Mono<Void> attempt(ServerWebExchange exchange, GatewayFilterChain chain, Passage passage) {
        try {
            passage.ask();
        } catch (NotSentException refused) {
            return Mono.error(refused);
        }
        return chain.filter(told(exchange, passage))
                .doOnSuccess(nothing -> answered(exchange, passage))
                .doOnError(error -> passage.settle())
                .doOnCancel(passage::settle);
    }

    private static ServerWebExchange told(ServerWebExchange exchange, Passage passage) {
        return passage.hasContext()
                ? exchange.mutate()
                        .request(request -> request.headers(headers -> passage.write(headers::set)))
                        .build()
                : exchange;
    }

    private static void answered(ServerWebExchange exchange, Passage passage) {
        HttpStatusCode status = exchange.getResponse().getStatusCode();
        if (status == null) {
            passage.settle(); // A WebSocket session that is over.
        } else {
            passage.answered(status, exchange.getResponse().getHeaders());
        }
    }
}

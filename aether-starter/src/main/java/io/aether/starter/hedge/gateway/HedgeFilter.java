// SPDX-License-Identifier: Apache-2.0
package io.aether.starter.hedge.gateway;

import io.aether.starter.hedge.Hedge;
import io.aether.starter.hedge.HedgedMono;
import io.aether.starter.hedge.Hedges;
import io.aether.starter.inflight.Flight;
import io.aether.starter.inflight.Trip;
import io.aether.starter.limit.Passage;
import io.aether.starter.limit.gateway.LimitFilter;
import java.net.URI;
import org.jspecify.annotations.Nullable;
import org.springframework.cloud.gateway.filter.GatewayFilterChain;
import org.springframework.cloud.gateway.filter.GlobalFilter;
import org.springframework.cloud.gateway.filter.ReactiveLoadBalancerClientFilter;
import org.springframework.core.Ordered;
import org.springframework.http.HttpHeaders;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Mono;
import reactor.core.publisher.SignalType;
import reactor.util.context.ContextView;

/**
 * Sends an exchange of an {@code lb:} route that waits too long a second time, through all that comes from the balancer on. Only
 * requests without a body: the gateway does not keep it.
 */
public final class HedgeFilter implements GlobalFilter, Ordered {

    private final Hedges hedges;
    private final LimitFilter limits;

    /** Creates the filter; {@code limits} is the one that follows it. */
    public HedgeFilter(Hedges hedges, LimitFilter limits) {
        this.hedges = hedges;
        this.limits = limits;
    }

    @Override
    public int getOrder() {
        return ReactiveLoadBalancerClientFilter.LOAD_BALANCER_CLIENT_FILTER_ORDER - 2;
    }

    @Override
    public Mono<Void> filter(ServerWebExchange exchange, GatewayFilterChain chain) {
        return Mono.deferContextual(context -> {
            Trip trip = exchange.getAttribute(Trip.ATTRIBUTE);
            Hedge hedge = trip == null ? null : hedge(exchange, trip, context);
            return trip == null || hedge == null ? chain.filter(exchange) : hedged(exchange, chain, hedge, trip);
        });
    }

    private @Nullable Hedge hedge(ServerWebExchange exchange, Trip trip, ContextView context) {
        URI url = LimitFilter.balanced(exchange);
        HttpHeaders headers = exchange.getRequest().getHeaders();
        if (url == null || headers.getContentLength() > 0 || headers.getFirst(HttpHeaders.TRANSFER_ENCODING) != null) {
            return null;
        }
        Passage passage = limits.passage(exchange, url, context);
        return hedges.of(exchange.getRequest().getMethod(), url, headers, passage, trip::chosen);
    }

    private static Mono<Void> hedged(ServerWebExchange exchange, GatewayFilterChain chain, Hedge hedge, Trip trip) {
        return new HedgedMono<>(
                        hedge,
                        side(new SideExchange(exchange), chain),
                        () -> second(exchange, chain, trip),
                        side -> Flight.isFailure(side.status()),
                        SideExchange::end)
                .doOnNext(SideExchange::win)
                .then();
    }

    private static Mono<SideExchange> second(ServerWebExchange exchange, GatewayFilterChain chain, Trip trip) {
        SideExchange side = new SideExchange(exchange);
        Passage first = exchange.getAttribute(Passage.ATTRIBUTE);
        side.getAttributes().put(Trip.ATTRIBUTE, trip.beside());
        if (first != null) {
            side.getAttributes().put(Passage.ATTRIBUTE, first.beside());
        }
        return side(side, chain);
    }

    /** One attempt. Whoever loses is over when it is cancelled or fails; the winner when its body is. */
    private static Mono<SideExchange> side(SideExchange side, GatewayFilterChain chain) {
        return chain.filter(side).thenReturn(side).doFinally(signal -> {
            if (signal != SignalType.ON_COMPLETE) {
                side.end();
            }
        });
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.aether.starter.inflight.gateway;

import io.aether.core.pick.Instance;
import io.aether.core.score.LoadReport;
import io.aether.core.score.LoadWord;
import io.aether.starter.balancer.ServiceFleet;
import io.aether.starter.balancer.ServiceFleets;
import io.aether.starter.hedge.NoOtherInstanceException;
import io.aether.starter.inflight.Flight;
import io.aether.starter.inflight.Trip;
import io.aether.starter.limit.Passage;
import org.jspecify.annotations.Nullable;
import org.springframework.cloud.gateway.filter.GatewayFilterChain;
import org.springframework.cloud.gateway.filter.GlobalFilter;
import org.springframework.cloud.gateway.filter.ReactiveLoadBalancerClientFilter;
import org.springframework.cloud.gateway.support.ServerWebExchangeUtils;
import org.springframework.core.Ordered;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatusCode;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Mono;

/**
 * Counts each attempt of an exchange, right after the balancer chose. The inner chain completes when the answer's headers are
 * here; its body is written further out, where {@link TripFilter} sees the end.
 */
public final class FlightFilter implements GlobalFilter, Ordered {

    /** Of answers, where it is asked for: the instance that an answer comes from and how it stands. */
    public static final String DECISION = "X-Aether-Decision";

    private final @Nullable ServiceFleets explained;

    /** @param explained where answers tell which instance they come from; null where they do not */
    public FlightFilter(@Nullable ServiceFleets explained) {
        this.explained = explained;
    }

    @Override
    public int getOrder() {
        return ReactiveLoadBalancerClientFilter.LOAD_BALANCER_CLIENT_FILTER_ORDER + 1;
    }

    @Override
    public Mono<Void> filter(ServerWebExchange exchange, GatewayFilterChain chain) {
        Trip trip = exchange.getAttribute(Trip.ATTRIBUTE);
        return trip == null ? chain.filter(exchange) : Mono.defer(() -> attempt(exchange, chain, trip));
    }

    private Mono<Void> attempt(ServerWebExchange exchange, GatewayFilterChain chain, Trip trip) {
        Passage passage = exchange.getAttribute(Passage.ATTRIBUTE);
        if (passage != null && passage.isBeside() && trip.meetsAvoided()) {
            return Mono.error(new NoOtherInstanceException());
        }
        Flight flight = trip.begin();
        if (passage != null) {
            passage.sentTo(trip.chosen());
        }
        if (flight == null) {
            return chain.filter(exchange);
        }
        return chain.filter(exchange)
                .doOnSuccess(nothing -> answered(exchange, flight))
                .doOnError(error -> {
                    flight.failed(error);
                    flight.end();
                })
                .doOnCancel(flight::cancelled);
    }

    private void answered(ServerWebExchange exchange, Flight flight) {
        HttpStatusCode status = exchange.getResponse().getStatusCode();
        if (status == null || exchange.getAttribute(ServerWebExchangeUtils.CLIENT_RESPONSE_ATTR) == null) {
            // A WebSocket session that is over, or an answer that did not come over HTTP.
            flight.ignored();
            return;
        }
        HttpHeaders headers = exchange.getResponse().getHeaders();
        explain(headers, flight.instance());
        flight.reported(headers.getFirst(LoadReport.HEADER), headers.getFirst(LoadWord.HEADER));
        flight.answered(
                status.value(), headers.getFirst(HttpHeaders.RETRY_AFTER), headers.getFirst(HttpHeaders.CONTENT_TYPE));
    }

    private void explain(HttpHeaders headers, Instance instance) {
        ServiceFleet fleet =
                explained == null ? null : explained.find(instance.key().service());
        if (fleet != null) {
            headers.set(DECISION, fleet.describe(instance));
        }
    }
}

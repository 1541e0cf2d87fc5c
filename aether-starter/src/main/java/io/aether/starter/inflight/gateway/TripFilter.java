// SPDX-License-Identifier: Apache-2.0
package io.aether.starter.inflight.gateway;

import io.aether.starter.inflight.Flights;
import io.aether.starter.inflight.Trip;
import io.aether.starter.limit.Passage;
import org.springframework.cloud.gateway.filter.GatewayFilterChain;
import org.springframework.cloud.gateway.filter.GlobalFilter;
import org.springframework.cloud.gateway.filter.NettyWriteResponseFilter;
import org.springframework.core.Ordered;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Mono;

/**
 * Opens a trip for each exchange, and ends it when the answer has been written, the client has gone, or all attempts failed.
 * Sits outside of the filter that writes the answer's body.
 */
public final class TripFilter implements GlobalFilter, Ordered {

    private final Flights flights;

    /** Creates the filter. */
    public TripFilter(Flights flights) {
        this.flights = flights;
    }

    @Override
    public int getOrder() {
        return NettyWriteResponseFilter.WRITE_RESPONSE_FILTER_ORDER - 1;
    }

    @Override
    public Mono<Void> filter(ServerWebExchange exchange, GatewayFilterChain chain) {
        Trip trip = new Trip(flights);
        exchange.getAttributes().put(Trip.ATTRIBUTE, trip);
        return chain.filter(exchange).doFinally(signal -> {
            trip.finish();
            Trip beside = exchange.getAttribute(Trip.ATTRIBUTE); // A second attempt's, if it won.
            if (beside != null) {
                beside.finish();
            }
            Passage passage = exchange.getAttribute(Passage.ATTRIBUTE);
            if (passage != null) {
                passage.end();
            }
        });
    }
}

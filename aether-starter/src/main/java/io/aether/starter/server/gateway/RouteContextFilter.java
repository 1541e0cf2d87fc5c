// SPDX-License-Identifier: Apache-2.0
package io.aether.starter.server.gateway;

import io.aether.core.limit.Priority;
import io.aether.starter.context.RequestContext;
import io.aether.starter.context.RequestContexts;
import io.aether.starter.server.ServerEntry;
import io.aether.starter.server.ServerEntry.Revised;
import io.aether.starter.server.webflux.PrincipalWebFilter;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;
import org.springframework.cloud.gateway.filter.GatewayFilterChain;
import org.springframework.cloud.gateway.filter.GlobalFilter;
import org.springframework.cloud.gateway.route.Route;
import org.springframework.cloud.gateway.support.ServerWebExchangeUtils;
import org.springframework.core.Ordered;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Mono;

/** Gives requests the priority and the deadline of their route, see {@link RouteWords}. */
public final class RouteContextFilter implements GlobalFilter, Ordered {
    private static final Log LOG = LogFactory.getLog(RouteContextFilter.class);
    /** Before all filters that send. */
    private static final int ORDER = Ordered.HIGHEST_PRECEDENCE + 10;

    private final ServerEntry entry;
    private final AtomicBoolean complained = new AtomicBoolean();

    /** Creates the filter. */
    public RouteContextFilter(ServerEntry entry) {
        this.entry = entry;
    }

    @Override
    public int getOrder() {
        return ORDER;
    }

    @Override
    public Mono<Void> filter(ServerWebExchange exchange, GatewayFilterChain chain) {
        Route route = exchange.getAttribute(ServerWebExchangeUtils.GATEWAY_ROUTE_ATTR);
        RequestContext context = exchange.getAttribute(RequestContexts.KEY);
        if (route == null || context == null || route.getMetadata().isEmpty()) {
            return chain.filter(exchange);
        }
        Revised revised = revised(context, route);
        return revised == null
                ? chain.filter(exchange)
                : PrincipalWebFilter.revise(exchange, revised, entry, Mono.defer(() -> chain.filter(exchange)));
    }

    private @Nullable Revised revised(RequestContext context, Route route) {
        Map<String, Object> metadata = route.getMetadata();
        try {
            Priority priority = RouteWords.priority(metadata);
            return entry.routed(context, priority, RouteWords.withinNanos(metadata));
        } catch (IllegalArgumentException e) {
            // Routes of the configuration were checked at the start; this one was added while the gateway runs.
            if (complained.compareAndSet(false, true)) {
                LOG.warn("Metadata of route " + route.getId() + " is ignored: " + e.getMessage());
            }
            return null;
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.aether.starter.server.webflux;

import io.aether.starter.context.RequestContext;
import io.aether.starter.context.RequestContexts;
import io.aether.starter.server.ServerEntry;
import io.aether.starter.server.ServerEntry.Revised;
import io.aether.starter.server.ServerRequest;
import io.aether.starter.server.Verdict;
import java.security.Principal;
import org.jspecify.annotations.Nullable;
import org.springframework.core.Ordered;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebFilterChain;
import reactor.core.publisher.Mono;

/** Ranks a request by the user that it turned out to be of, once it is known; stands behind Spring Security's filters. */
public final class PrincipalWebFilter implements WebFilter, Ordered {

    private final ServerEntry entry;
    private final int order;

    /** Creates the filter. */
    public PrincipalWebFilter(ServerEntry entry, int order) {
        this.entry = entry;
        this.order = order;
    }

    @Override
    public int getOrder() {
        return order;
    }

    @Override
    public Mono<Void> filter(ServerWebExchange exchange, WebFilterChain chain) {
        RequestContext context = exchange.getAttribute(RequestContexts.KEY);
        if (context == null) {
            return chain.filter(exchange);
        }
        return exchange.getPrincipal()
                .map(Principal::getName)
                .defaultIfEmpty("")
                .flatMap(name -> go(exchange, chain, entry.identified(context, name)));
    }

    private Mono<Void> go(ServerWebExchange exchange, WebFilterChain chain, @Nullable Revised revised) {
        return revised == null
                ? chain.filter(exchange)
                : revise(exchange, revised, entry, Mono.defer(() -> chain.filter(exchange)));
    }

    /** Goes on with another context, or refuses. */
    public static Mono<Void> revise(ServerWebExchange exchange, Revised revised, ServerEntry entry, Mono<Void> rest) {
        RequestContext context = revised.context();
        if (revised.verdict() != Verdict.ADMIT && context.work() instanceof ServerRequest work) {
            return ServerWebFilter.refuse(exchange.getResponse(), revised.verdict(), entry, work);
        }
        exchange.getAttributes().put(RequestContexts.KEY, context);
        return rest.contextWrite(view -> RequestContexts.write(view, context));
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.aether.starter.limit;

import org.springframework.core.Ordered;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebExceptionHandler;
import reactor.core.publisher.Mono;

/**
 * Puts Retry-After into the answer of a reactive server that could not make a call because its branch is limited. The rest of
 * the answer is left to the handlers after it; Spring Boot's own keeps the status and forgets the headers of such an error.
 */
public final class RefusalAnswers implements WebExceptionHandler, Ordered {

    /** Spring Boot's handler has -1. */
    private static final int BEFORE_BOOT = -2;

    @Override
    public int getOrder() {
        return BEFORE_BOOT;
    }

    @Override
    public Mono<Void> handle(ServerWebExchange exchange, Throwable error) {
        if (error instanceof BranchLimitedException limited
                && !exchange.getResponse().isCommitted()) {
            limited.getHeaders()
                    .forEach((name, values) ->
                            exchange.getResponse().getHeaders().put(name, values));
        }
        return Mono.error(error);
    }
}

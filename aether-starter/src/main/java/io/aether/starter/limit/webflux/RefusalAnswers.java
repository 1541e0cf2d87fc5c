// SPDX-License-Identifier: Apache-2.0
package io.aether.starter.limit.webflux;

import io.aether.starter.limit.BranchLimitedException;
import io.aether.starter.limit.OverloadSigns;
import org.springframework.core.Ordered;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.web.reactive.function.client.WebClientResponseException;
import org.springframework.web.server.ResponseStatusException;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebExceptionHandler;
import reactor.core.publisher.Mono;

/**
 * Puts Retry-After into the answer of a reactive server that could not make a call because its branch is limited. The rest of
 * the answer is left to the handlers after it; Spring Boot's own keeps the status and forgets the headers of such an error. A
 * refusal by the called server is passed on as one too: to whoever called us it is the same branch that is overloaded, and 500
 * would look like a broken instance.
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
        if (error instanceof WebClientResponseException answer
                && OverloadSigns.in(answer.getStatusCode(), answer.getHeaders())
                && !exchange.getResponse().isCommitted()) {
            String later = OverloadSigns.retryAfter(answer.getHeaders());
            exchange.getResponse().getHeaders().set(HttpHeaders.RETRY_AFTER, later);
            return Mono.error(new ResponseStatusException(
                    HttpStatus.SERVICE_UNAVAILABLE, "a service that is needed is overloaded", error));
        }
        return Mono.error(error);
    }
}

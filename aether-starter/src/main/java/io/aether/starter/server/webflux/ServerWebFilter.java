// SPDX-License-Identifier: Apache-2.0
package io.aether.starter.server.webflux;

import io.aether.core.score.LoadReport;
import io.aether.core.score.LoadWord;
import io.aether.starter.context.ContextHeaders;
import io.aether.starter.context.RequestContext;
import io.aether.starter.context.RequestContexts;
import io.aether.starter.server.ServerEntry;
import io.aether.starter.server.ServerRequest;
import io.aether.starter.server.Verdict;
import java.util.concurrent.Executor;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.core.Ordered;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebFilterChain;
import reactor.core.publisher.Mono;
import reactor.core.publisher.SignalType;

/** Judges requests, counts them until they are answered, and puts their context into the chain that works on them. Never waits. */
public final class ServerWebFilter implements WebFilter, Ordered {
    /** Behind what measures, before all that costs anything. */
    public static final int ORDER = Ordered.HIGHEST_PRECEDENCE + 10;

    private final ServerEntry entry;
    private final Function<ServerHttpRequest, @Nullable Executor> loops;

    /** @param loops the event loop that a request came on; null when it is not known */
    public ServerWebFilter(ServerEntry entry, Function<ServerHttpRequest, @Nullable Executor> loops) {
        this.entry = entry;
        this.loops = loops;
    }

    @Override
    public int getOrder() {
        return ORDER;
    }

    @Override
    public Mono<Void> filter(ServerWebExchange exchange, WebFilterChain chain) {
        ServerHttpRequest request = exchange.getRequest();
        if (entry.exempt(request.getPath().pathWithinApplication().value())) {
            return chain.filter(exchange);
        }
        RequestContext context = entry.arrive(
                request.getMethod().name(), request.getHeaders()::getFirst, request.getPath()::pathWithinApplication);
        ServerRequest work = (ServerRequest) context.work();
        Verdict verdict = entry.judge(context, work, loops.apply(request));
        if (verdict != Verdict.ADMIT) {
            return refuse(exchange.getResponse(), verdict, entry, work);
        }
        work.begin();
        exchange.getAttributes().put(RequestContexts.KEY, context);
        exchange.getResponse().beforeCommit(() -> {
            HttpStatusCode status = exchange.getResponse().getStatusCode();
            entry.status(status == null ? 0 : status.value());
            stamp(exchange.getResponse().getHeaders(), work);
            return Mono.empty();
        });
        return chain.filter(entry.trusting() ? exchange : stripped(exchange))
                .contextWrite(view -> RequestContexts.write(view, context))
                .doFinally(signal -> work.end(signal != SignalType.CANCEL));
    }

    /** Without context headers that nobody here said: what this server passes on must not carry them. */
    private static ServerWebExchange stripped(ServerWebExchange exchange) {
        HttpHeaders headers = exchange.getRequest().getHeaders();
        for (String name : ContextHeaders.OF_REQUESTS) {
            if (headers.containsHeader(name)) {
                return exchange.mutate()
                        .request(request -> request.headers(all -> ContextHeaders.OF_REQUESTS.forEach(all::remove)))
                        .build();
            }
        }
        return exchange;
    }

    /** A gateway copies the headers of the answer that it got: the pressure and load of its branch are not those of its own answer. */
    private void stamp(HttpHeaders headers, ServerRequest work) {
        String pressure = entry.pressure(work);
        if (pressure != null) {
            headers.set(ContextHeaders.PRESSURE, pressure);
        } else if (!entry.trusting()) {
            headers.remove(ContextHeaders.PRESSURE);
        }
        String word = entry.word(work);
        if (word != null) {
            headers.set(LoadWord.HEADER, word);
        } else {
            headers.remove(LoadWord.HEADER);
        }
        String load = entry.load();
        if (load != null) {
            headers.set(LoadReport.HEADER, load);
        } else if (!entry.trusting()) {
            headers.remove(LoadReport.HEADER);
        }
    }

    /** Answers a request that is not begun: no body, since it must cost nothing. */
    public static Mono<Void> refuse(
            ServerHttpResponse response, Verdict verdict, ServerEntry entry, ServerRequest work) {
        response.setStatusCode(HttpStatusCode.valueOf(verdict.status()));
        response.getHeaders().setContentLength(0);
        if (verdict != Verdict.EXPIRED) {
            response.getHeaders().set(HttpHeaders.RETRY_AFTER, entry.retryAfter(work));
        }
        String pressure = entry.pressure(work);
        if (pressure != null) {
            response.getHeaders().set(ContextHeaders.PRESSURE, pressure);
        }
        return response.setComplete();
    }
}

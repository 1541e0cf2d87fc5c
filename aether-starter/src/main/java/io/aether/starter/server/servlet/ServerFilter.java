// SPDX-License-Identifier: Apache-2.0
package io.aether.starter.server.servlet;

import io.aether.starter.context.ContextHeaders;
import io.aether.starter.context.RequestContext;
import io.aether.starter.context.RequestContexts;
import io.aether.starter.server.ServerEntry;
import io.aether.starter.server.ServerRequest;
import io.aether.starter.server.Verdict;
import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.springframework.http.HttpHeaders;
import org.springframework.web.util.ServletRequestPathUtils;

/**
 * Judges requests, counts them until they are answered, also later and on other threads, and puts their context on the thread
 * that works on them. Meant for dispatches of the types REQUEST and ASYNC.
 */
public final class ServerFilter implements Filter {

    private final ServerEntry entry;

    /** A filter before all that costs anything. */
    public ServerFilter(ServerEntry entry) {
        this.entry = entry;
    }

    @Override
    public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        if (request.getAttribute(RequestContexts.KEY) instanceof RequestContext context
                && context.work() instanceof ServerRequest work) {
            work(request, response, chain, context, work);
        } else if (request instanceof HttpServletRequest http && response instanceof HttpServletResponse answer) {
            arrive(http, answer, chain);
        } else {
            chain.doFilter(request, response);
        }
    }

    private void arrive(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        String path = request.getRequestURI().substring(request.getContextPath().length());
        if (entry.exempt(path)) {
            chain.doFilter(request, response);
            return;
        }
        RequestContext context = entry.arrive(
                request.getMethod(),
                request::getHeader,
                () -> ServletRequestPathUtils.parseAndCache(request).pathWithinApplication());
        ServerRequest work = (ServerRequest) context.work();
        Verdict verdict = entry.judge(context, work, null);
        if (verdict != Verdict.ADMIT) {
            refuse(response, verdict, entry, work);
            return;
        }
        work.begin();
        request.setAttribute(RequestContexts.KEY, context);
        work(request, new StampedResponse(response, entry, work), chain, context, work);
    }

    /** Answers a request that is not begun: no body, no error page, since it must cost nothing. */
    static void refuse(HttpServletResponse response, Verdict verdict, ServerEntry entry, ServerRequest work) {
        response.setStatus(verdict.status());
        response.setContentLength(0);
        if (verdict != Verdict.EXPIRED) {
            response.setHeader(HttpHeaders.RETRY_AFTER, entry.retryAfter(work));
        }
        String pressure = entry.pressure(work);
        if (pressure != null) {
            response.setHeader(ContextHeaders.PRESSURE, pressure);
        }
    }

    private void work(
            ServletRequest request,
            ServletResponse response,
            FilterChain chain,
            RequestContext context,
            ServerRequest work)
            throws IOException, ServletException {
        long from = entry.nanos();
        long waitedBefore = work.waitedNanos();
        RequestContexts.Scope scope = RequestContexts.open(context);
        try {
            chain.doFilter(request, response);
        } finally {
            scope.close();
            entry.held(from, work.waitedNanos() - waitedBefore);
            if (request.isAsyncStarted()) {
                later(request, work);
            } else {
                if (response instanceof StampedResponse stamped) {
                    stamped.stamp();
                    entry.status(stamped.getStatus());
                }
                work.end(true);
            }
        }
    }

    /** Who made the request asynchronous again, in a dispatch of its own, has this listener already: its end is one end. */
    private static void later(ServletRequest request, ServerRequest work) {
        try {
            request.getAsyncContext().addListener(new End(work));
        } catch (IllegalStateException e) {
            work.end(true); // Completed meanwhile.
        }
    }

    /** The end of an asynchronous request. */
    private static final class End implements AsyncListener {
        private final ServerRequest work;
        private boolean failed;

        End(ServerRequest work) {
            this.work = work;
        }

        @Override
        public void onComplete(AsyncEvent event) {
            work.end(!failed);
        }

        @Override
        public void onTimeout(AsyncEvent event) {}

        @Override
        public void onError(AsyncEvent event) {
            failed = true;
        }

        @Override
        public void onStartAsync(AsyncEvent event) {
            event.getAsyncContext().addListener(this);
        }
    }
}

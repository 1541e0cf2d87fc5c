// SPDX-License-Identifier: Apache-2.0
package io.aether.starter.server.servlet;

import io.aether.starter.context.RequestContext;
import io.aether.starter.context.RequestContexts;
import io.aether.starter.server.ServerEntry;
import io.aether.starter.server.ServerEntry.Revised;
import io.aether.starter.server.ServerRequest;
import io.aether.starter.server.Verdict;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.security.Principal;
import org.jspecify.annotations.Nullable;

/** Ranks a request by the user that it turned out to be of, once it is known; stands behind Spring Security's filters. */
public final class PrincipalFilter implements Filter {

    private final ServerEntry entry;

    /** Creates the filter. */
    public PrincipalFilter(ServerEntry entry) {
        this.entry = entry;
    }

    @Override
    public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        Revised revised = revised(request);
        if (revised == null) {
            chain.doFilter(request, response);
            return;
        }
        RequestContext context = revised.context();
        if (revised.verdict() != Verdict.ADMIT
                && response instanceof HttpServletResponse http
                && context.work() instanceof ServerRequest work) {
            ServerFilter.refuse(http, revised.verdict(), entry, work);
            return;
        }
        request.setAttribute(RequestContexts.KEY, context);
        RequestContexts.Scope scope = RequestContexts.open(context);
        try {
            chain.doFilter(request, response);
        } finally {
            scope.close();
        }
    }

    private @Nullable Revised revised(ServletRequest request) {
        if (request.getAttribute(RequestContexts.KEY) instanceof RequestContext context
                && request instanceof HttpServletRequest http) {
            Principal user = http.getUserPrincipal();
            return user == null ? null : entry.identified(context, user.getName());
        }
        return null;
    }
}

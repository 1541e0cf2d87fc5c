// SPDX-License-Identifier: Apache-2.0
package io.aether.starter.limit.servlet;

import io.aether.starter.limit.OverloadSigns;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import org.springframework.core.Ordered;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.web.client.RestClientResponseException;
import org.springframework.web.servlet.HandlerExceptionResolver;
import org.springframework.web.servlet.ModelAndView;

/**
 * Passes the refusal of a called server on as one, with its Retry-After, when nothing else in the application handles it; 500
 * would look like a broken instance. What was not sent at all needs no help: Spring knows its status and headers.
 */
public final class RefusalResolver implements HandlerExceptionResolver, Ordered {

    @Override
    public int getOrder() {
        return Ordered.LOWEST_PRECEDENCE; // The application's own handlers first.
    }

    @Override
    public @Nullable ModelAndView resolveException(
            HttpServletRequest request, HttpServletResponse response, @Nullable Object handler, Exception error) {
        if (!OverloadSigns.in(error) || response.isCommitted()) {
            return null;
        }
        HttpHeaders headers = ((RestClientResponseException) error).getResponseHeaders();
        response.setHeader(HttpHeaders.RETRY_AFTER, OverloadSigns.retryAfter(headers));
        try {
            response.sendError(HttpStatus.SERVICE_UNAVAILABLE.value());
        } catch (IOException e) {
            return null; // The client has gone.
        }
        return new ModelAndView();
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.aether.starter.limit;

import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatusCode;
import org.springframework.web.client.RestClientResponseException;

/** Which answers say that a server is overloaded: 429, and 503 with Retry-After. A bare 503 may just as well be a proxy without a server. */
public final class OverloadSigns {
    private static final int TOO_MANY_REQUESTS = 429;
    private static final int SERVICE_UNAVAILABLE = 503;

    /** For a 429 that does not say when: a second, as all of our refusals at least. */
    private static final String SOON = "1";

    private OverloadSigns() {}

    /** What to tell our own callers as Retry-After when such an answer is passed on to them. */
    public static String retryAfter(@Nullable HttpHeaders headers) {
        String later = headers == null ? null : headers.getFirst(HttpHeaders.RETRY_AFTER);
        return later == null ? SOON : later;
    }

    /** Whether such an answer is a refusal for overload. */
    public static boolean in(HttpStatusCode status, HttpHeaders headers) {
        int code = status.value();
        return code == TOO_MANY_REQUESTS
                || (code == SERVICE_UNAVAILABLE && headers.getFirst(HttpHeaders.RETRY_AFTER) != null);
    }

    /** Whether a blocking client's error is such an answer. */
    public static boolean in(Throwable error) {
        return error instanceof RestClientResponseException response
                && response.getResponseHeaders() != null
                && in(response.getStatusCode(), response.getResponseHeaders());
    }
}

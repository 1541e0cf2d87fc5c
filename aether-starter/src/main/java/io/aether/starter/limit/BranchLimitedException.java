// SPDX-License-Identifier: Apache-2.0
package io.aether.starter.limit;

import io.aether.core.limit.Priority;
import java.time.Duration;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;

/**
 * A request that was not sent, because its branch is overloaded: our own refusal. Unhandled, Spring answers with 503 and
 * Retry-After.
 */
public final class BranchLimitedException extends NotSentException {
    private final Priority priority;
    private final Duration retryAfter;
    private final HttpHeaders headers = new HttpHeaders();

    /**
     * @param branch the limiter's name
     * @param retryAfter when such a request would pass if no other came
     */
    public BranchLimitedException(String branch, Priority priority, Duration retryAfter) {
        super(HttpStatus.SERVICE_UNAVAILABLE, "held back for " + branch + ", which is overloaded", branch);
        this.priority = priority;
        this.retryAfter = retryAfter;
        headers.set(HttpHeaders.RETRY_AFTER, Long.toString(seconds(retryAfter)));
    }

    /** Whole seconds, rounded up; at least one, for clients take 0 as "at once". */
    private static long seconds(Duration retryAfter) {
        return Math.max(1, retryAfter.plusNanos(999_999_999).toSeconds());
    }

    /** Of the answer that the error becomes; the ones that are inherited cannot be set. */
    @Override
    public HttpHeaders getHeaders() {
        return headers;
    }

    public Priority priority() {
        return priority;
    }

    public Duration retryAfter() {
        return retryAfter;
    }
}

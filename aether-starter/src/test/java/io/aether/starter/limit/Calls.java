// SPDX-License-Identifier: Apache-2.0
package io.aether.starter.limit;

import io.aether.starter.context.RequestContext;
import java.net.URI;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;

/** Calls through limiters, without servers. */
final class Calls {

    private Calls() {}

    static Passage call(BranchLimits limits, String url) {
        return limits.call(URI.create(url), new HttpHeaders(), RequestContext.NONE);
    }

    /** Names and values in turn. */
    static HttpHeaders headers(String... pairs) {
        HttpHeaders headers = new HttpHeaders();
        for (int i = 0; i < pairs.length; i += 2) {
            headers.set(pairs[i], pairs[i + 1]);
        }
        return headers;
    }

    /** One refusal, and the few tokens that a branch begins with. */
    static void overload(BranchLimits limits, String url) {
        Passage refused = call(limits, url);
        refused.ask();
        refused.answered(HttpStatus.SERVICE_UNAVAILABLE, headers("Retry-After", "1"));
        refused.end();
        for (int i = 0; i < 5; i++) {
            try {
                Passage call = call(limits, url);
                call.ask();
                call.answered(HttpStatus.OK, new HttpHeaders());
            } catch (BranchLimitedException expected) {
                return;
            }
        }
    }
}

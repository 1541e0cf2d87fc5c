// SPDX-License-Identifier: Apache-2.0
package io.aether.agent.web;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;

/**
 * Who may change things over HTTP.
 *
 * @param token What a request that changes something must bring; at least 16 characters. Without one such requests are
 *     refused.
 * @param tokenFile File whose first line is the token, read again for each request that changes something.
 */
@ConfigurationProperties("aether.agent")
record AccessProperties(@Nullable String token, @Nullable Path tokenFile) {
    /** What guessing takes too long for. */
    static final int LEAST = 16;

    AccessProperties {
        if (token != null && token.length() < LEAST) {
            throw new IllegalArgumentException("aether.agent.token must have at least " + LEAST + " characters");
        }
        if (token != null && tokenFile != null) {
            throw new IllegalArgumentException("give aether.agent.token or aether.agent.token-file, not both");
        }
    }

    /** Without the token, which must not get into a log. */
    @Override
    public String toString() {
        return "AccessProperties[tokenFile=" + tokenFile + "]";
    }
}

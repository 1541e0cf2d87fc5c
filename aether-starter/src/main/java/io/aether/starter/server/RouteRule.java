// SPDX-License-Identifier: Apache-2.0
package io.aether.starter.server;

import io.aether.core.limit.Priority;
import org.jspecify.annotations.Nullable;
import org.springframework.http.server.PathContainer;
import org.springframework.web.util.pattern.PathPattern;

/**
 * What the operator says of the requests to some paths.
 *
 * @param priority their priority; null leaves it to others
 * @param withinNanos how long their clients wait at most, in ns; 0 leaves it to others
 */
public record RouteRule(PathPattern path, @Nullable Priority priority, long withinNanos) {

    boolean matches(PathContainer requested) {
        return path.matches(requested);
    }
}

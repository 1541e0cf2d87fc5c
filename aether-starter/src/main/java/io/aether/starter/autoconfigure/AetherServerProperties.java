// SPDX-License-Identifier: Apache-2.0
package io.aether.starter.autoconfigure;

import io.aether.core.limit.Priority;
import io.aether.core.pick.Mode;
import java.time.Duration;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The server's half of backpressure.
 *
 * @param mode What becomes of requests beyond the limit: "on" refuses them and tells the node's agent of the queue, "observe" only counts them, "off" does neither.
 * @param objective Latency that this server promises; beyond 0.4 of it in the queue requests are refused. Guessed from the service time when it is not set.
 * @param priority Priority of requests of which nothing else says one.
 * @param deadline Longest time that clients wait; requests that come with less keep that. None when it is not set.
 * @param trustHeaders Whether the priority, deadline and user of a request's headers are believed, and answers tell of pressure. True unless this is a gateway.
 * @param tellLoad Whether answers tell Aether's clients how many requests are in flight here and how long answers take, where they tell of pressure too.
 * @param loadReport Whether answers tell of this server's load, in the format of ORCA that Envoy and gRPC read.
 * @param user What tells users apart.
 * @param exempt Beginnings of paths whose requests are never refused.
 * @param routes Priorities and deadlines by path; the first that matches counts.
 */
@ConfigurationProperties("aether.server")
public record AetherServerProperties(
        @DefaultValue("on") Mode mode,
        @Nullable Duration objective,
        @DefaultValue("critical") Priority priority,
        @Nullable Duration deadline,
        @Nullable Boolean trustHeaders,
        @DefaultValue("true") boolean tellLoad,
        @DefaultValue("false") boolean loadReport,
        @DefaultValue User user,
        @DefaultValue("/actuator") List<String> exempt,
        @DefaultValue List<Route> routes)
        implements SelfChecked {

    private static final Duration LEAST = Duration.ofMillis(1);
    private static final Duration MOST = Duration.ofHours(24);

    @Override
    public void check(Checks checks) {
        checks.range("objective", objective, LEAST, Duration.ofHours(1));
        checks.range("deadline", deadline, LEAST, MOST);
        checks.in("user", user::check);
        for (int i = 0; i < exempt.size(); i++) {
            checks.that("exempt[" + i + "]", exempt.get(i).startsWith("/"), "must begin with /");
        }
        for (int i = 0; i < routes.size(); i++) {
            checks.in("routes[" + i + "]", routes.get(i)::check);
        }
    }

    /**
     * What tells users apart: requests of a user are refused together in an hour, by all services alike.
     *
     * @param header Name of a header whose value tells users apart.
     * @param principal Whether the authenticated user's name does, where no header does.
     */
    public record User(
            @Nullable String header, @DefaultValue("false") boolean principal) {

        private static final Pattern HEADER = Pattern.compile("[!#$%&'*+.^_`|~0-9A-Za-z-]+");

        void check(Checks checks) {
            checks.matches("header", header, HEADER, "must be the name of a header");
        }
    }

    /**
     * What requests to some paths are.
     *
     * @param path Pattern of the path, as in Spring's request mappings.
     * @param priority Priority of the requests; what they bring counts if it is lower.
     * @param deadline Longest time that clients wait for these requests.
     */
    public record Route(
            String path,
            @Nullable Priority priority,
            @Nullable Duration deadline) {

        void check(Checks checks) {
            // Nothing makes the binder leave out a route without a path.
            checks.that("path", path != null && !path.isBlank(), "must not be empty");
            checks.range("deadline", deadline, LEAST, MOST);
        }
    }
}

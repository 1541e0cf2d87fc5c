// SPDX-License-Identifier: Apache-2.0
package io.aether.starter.autoconfigure;

import io.aether.core.limit.Priority;
import io.aether.core.pick.Mode;
import jakarta.validation.Valid;
import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Pattern;
import java.time.Duration;
import java.util.List;
import org.hibernate.validator.constraints.time.DurationMax;
import org.hibernate.validator.constraints.time.DurationMin;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.validation.annotation.Validated;

/**
 * The server's half of backpressure.
 *
 * @param mode What becomes of requests beyond the limit: "on" refuses them and tells the node's agent of the queue, "observe" only counts them, "off" does neither.
 * @param objective Latency that this server promises; beyond 0.4 of it in the queue requests are refused. Guessed from the service time when it is not set.
 * @param priority Priority of requests of which nothing else says one.
 * @param deadline Longest time that clients wait; requests that come with less keep that. None when it is not set.
 * @param trustHeaders Whether the priority, deadline and user of a request's headers are believed, and answers tell of pressure. True unless this is a gateway.
 * @param loadReport Whether answers tell of this server's load, in the format of ORCA that Envoy and gRPC read.
 * @param user What tells users apart.
 * @param exempt Beginnings of paths whose requests are never refused.
 * @param routes Priorities and deadlines by path; the first that matches counts.
 */
@Validated
@ConfigurationProperties("aether.server")
public record AetherServerProperties(
        @DefaultValue("on") @NotNull Mode mode,

        @Nullable @DurationMin(millis = 1) @DurationMax(hours = 1)
        Duration objective,

        @DefaultValue("critical") @NotNull Priority priority,

        @Nullable @DurationMin(millis = 1) @DurationMax(hours = 24)
        Duration deadline,

        @Nullable Boolean trustHeaders,
        @DefaultValue("false") boolean loadReport,
        @DefaultValue @Valid @NotNull User user,

        @DefaultValue("/actuator") @NotNull
        List<@NotBlank @Pattern(regexp = "/.*", message = "must begin with /") String> exempt,

        @DefaultValue @NotNull @Valid List<Route> routes) {

    /**
     * What tells users apart: requests of a user are refused together in an hour, by all services alike.
     *
     * @param header Name of a header whose value tells users apart.
     * @param principal Whether the authenticated user's name does, where no header does.
     */
    public record User(
            @Nullable @Pattern(regexp = "[!#$%&'*+.^_`|~0-9A-Za-z-]+", message = "must be the name of a header")
            String header,

            @DefaultValue("false") boolean principal) {}

    /**
     * What requests to some paths are.
     *
     * @param path Pattern of the path, as in Spring's request mappings.
     * @param priority Priority of the requests; what they bring counts if it is lower.
     * @param deadline Longest time that clients wait for these requests.
     */
    public record Route(
            @NotBlank String path,
            @Nullable Priority priority,

            @Nullable @DurationMin(millis = 1) @DurationMax(hours = 24)
            Duration deadline) {}
}

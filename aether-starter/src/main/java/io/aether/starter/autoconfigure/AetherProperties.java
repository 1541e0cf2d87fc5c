// SPDX-License-Identifier: Apache-2.0
package io.aether.starter.autoconfigure;

import io.aether.core.pick.Mode;
import io.aether.core.pick.Signals;
import jakarta.validation.Valid;
import jakarta.validation.constraints.DecimalMax;
import jakarta.validation.constraints.DecimalMin;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Pattern;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.hibernate.validator.constraints.time.DurationMax;
import org.hibernate.validator.constraints.time.DurationMin;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.validation.annotation.Validated;

/**
 * Configuration of Aether in an application.
 *
 * @param enabled Whether Aether takes part at all. When false, Spring's own beans are left alone.
 * @param mode Who chooses instances: "on" Aether, "observe" Spring while Aether records what it would have done, "off" Spring.
 * @param signals What choices rest on: "application" for what this process sees, "kernel" for that and the health table.
 * @param zone Zone of this application: instances whose metadata names another get requests when those of this one heat. That of spring.cloud.loadbalancer.zone when it is not set; empty for none.
 * @param table Health table of the node.
 * @param pick Constants of the law that chooses.
 * @param warmUp Requests to instances that have just started, before users' requests.
 * @param inFlight Counting of requests in flight.
 * @param decisions Log of decisions in the actuator endpoint.
 * @param metrics Micrometer meters.
 * @param services Settings of single services, by their id; what is left out follows the common setting.
 */
@Validated
@ConfigurationProperties("aether")
public record AetherProperties(
        @DefaultValue("true") boolean enabled,
        @DefaultValue("on") @NotNull Mode mode,
        @DefaultValue("kernel") @NotNull Signals signals,
        @Nullable String zone,
        @DefaultValue @Valid @NotNull Table table,
        @DefaultValue @Valid @NotNull Pick pick,
        @DefaultValue @Valid @NotNull WarmUp warmUp,
        @DefaultValue @Valid @NotNull InFlight inFlight,
        @DefaultValue @Valid @NotNull Decisions decisions,
        @DefaultValue @Valid @NotNull Metrics metrics,
        @DefaultValue @Valid @NotNull Map<String, Service> services) {

    /**
     * Where the kernel's view comes from.
     *
     * @param path File that the agent of this node writes.
     * @param refresh How often to look whether the file has appeared, was replaced, or its writer has died.
     */
    public record Table(
            @DefaultValue("/run/aether/health") @NotNull Path path,

            @DefaultValue("200ms") @NotNull @DurationMin(millis = 10) @DurationMax(seconds = 10)
            Duration refresh) {}

    /**
     * Constants of the law that chooses.
     *
     * @param maxCandidates Largest number of instances compared in one pick.
     * @param ewmaTau Time after which an old latency has lost 63 % of its weight.
     * @param failurePenalty Latency that a failure counts as.
     */
    public record Pick(
            @DefaultValue("5") @Min(2) @Max(16) int maxCandidates,

            @DefaultValue("10s") @NotNull @DurationMin(millis = 100) @DurationMax(minutes = 10)
            Duration ewmaTau,

            @DefaultValue("5s") @NotNull @DurationMin(millis = 1) @DurationMax(minutes = 10)
            Duration failurePenalty) {}

    /**
     * Requests to instances that have just started or are back, before they get requests that somebody waits for.
     *
     * @param requests Number of HEAD requests that an instance has to answer; 0 sends none.
     * @param path Path they ask for. Any answer below 500 counts, also 404.
     * @param patience Time after which an instance that did not answer gets users' requests all the same.
     */
    public record WarmUp(
            @DefaultValue("3") @Min(0) @Max(100) int requests,

            @DefaultValue("/") @NotNull @Pattern(regexp = "/[^\\s?#]*", message = "must be a path that begins with /")
            String path,

            @DefaultValue("10s") @NotNull @DurationMin(millis = 100) @DurationMax(minutes = 5)
            Duration patience) {}

    /**
     * Counting of requests in flight.
     *
     * @param lostAfter Time after which a request of an entry point that cannot report cancellation is taken for over.
     */
    public record InFlight(
            @DefaultValue("5m") @NotNull @DurationMin(seconds = 1) @DurationMax(hours = 24)
            Duration lostAfter) {}

    /**
     * Log of decisions.
     *
     * @param size Number of decisions kept for each service; 0 keeps none.
     * @param header Whether answers of the gateway tell in X-Aether-Decision which instance they come from and how it stands.
     */
    public record Decisions(
            @DefaultValue("32") @Min(0) @Max(1000) int size,
            @DefaultValue("false") boolean header) {}

    /**
     * Micrometer meters.
     *
     * @param perInstance Whether to publish meters for each instance of a service.
     * @param maxInstances Largest number of instances that a service may have to get meters for each.
     */
    public record Metrics(
            @DefaultValue("true") boolean perInstance,
            @DefaultValue("32") @Min(1) @Max(1000) int maxInstances) {}

    /**
     * Settings of one service.
     *
     * @param mode Who chooses instances of this service.
     * @param signals What choices of this service's instances rest on.
     * @param optional Whether callers can do without this service: its pressure is not told on to theirs.
     * @param limit How calls to this service are limited.
     * @param hedge How calls to this service are hedged.
     */
    public record Service(
            @Nullable Mode mode,
            @Nullable Signals signals,
            @DefaultValue("false") boolean optional,
            @DefaultValue @Valid @NotNull ServiceLimit limit,
            @DefaultValue @Valid @NotNull ServiceHedge hedge) {}

    /**
     * How calls to one service are hedged; what is left out follows the common setting.
     *
     * @param mode Whether calls to this service that wait too long are sent a second time.
     * @param budget Most second attempts for each first one.
     * @param minDelay Time before which a second attempt is only sent when the kernel says that the first one's instance is stalled.
     */
    public record ServiceHedge(
            @Nullable Mode mode,

            @DecimalMin("0.0001") @DecimalMax("0.05") @Nullable
            Double budget,

            @DurationMin(nanos = 100_000) @DurationMax(minutes = 1) @Nullable
            Duration minDelay) {}

    /**
     * How calls to one service are limited.
     *
     * @param mode Whether calls to this service are held back.
     * @param groups Groups of routes that have a limit of their own: patterns of paths by the name of the group.
     */
    public record ServiceLimit(
            @Nullable Mode mode, @DefaultValue @NotNull Map<String, List<String>> groups) {}
}

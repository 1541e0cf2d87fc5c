// SPDX-License-Identifier: Apache-2.0
package io.aether.agent;

import jakarta.validation.Valid;
import jakarta.validation.constraints.AssertTrue;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotNull;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.validation.annotation.Validated;

/**
 * Settings of the agent.
 *
 * @param tablePath File of the health table that applications map; its directory should be on a tmpfs.
 * @param slots Endpoints the table can hold; a power of two.
 * @param cgroup Directory of the cgroup v2 hierarchy to watch; found by itself when empty.
 * @param congestedRtt Smoothed round-trip time above which a peer counts as congested.
 * @param stallAfter Age of unread data from which a listener counts as stalled.
 * @param probes Which kernel objects are loaded.
 * @param metrics What the Prometheus endpoint shows.
 */
@Validated
@ConfigurationProperties("aether.agent")
public record AgentProperties(
        @NotNull @DefaultValue("/run/aether/health") Path tablePath,
        @Min(64) @Max(1 << 20) @DefaultValue("4096") int slots,
        @Nullable Path cgroup,
        @NotNull @DefaultValue("50ms") Duration congestedRtt,
        @NotNull @DefaultValue("10ms") Duration stallAfter,
        @Valid @NotNull @DefaultValue Probes probes,
        @Valid @NotNull @DefaultValue Metrics metrics) {

    @AssertTrue(message = "aether.agent.slots must be a power of two, such as 4096")
    boolean isSlotsPowerOfTwo() {
        return Integer.bitCount(slots) == 1;
    }

    @AssertTrue(message = "aether.agent.congested-rtt must be between 2ms and 10s")
    boolean isCongestedRttInRange() {
        return between(congestedRtt, Duration.ofMillis(2), Duration.ofSeconds(10));
    }

    @AssertTrue(message = "aether.agent.stall-after must be between 1ms and 10s")
    boolean isStallAfterInRange() {
        return between(stallAfter, Duration.ofMillis(1), Duration.ofSeconds(10));
    }

    private static boolean between(Duration value, Duration least, Duration most) {
        return value.compareTo(least) >= 0 && value.compareTo(most) <= 0;
    }

    /**
     * Which kernel objects are loaded.
     *
     * @param flow Round-trip times and retransmits per peer.
     * @param queue Receive queues of listeners.
     * @param sched Run-queue waits per cgroup.
     */
    public record Probes(
            @Valid @NotNull @DefaultValue Probe flow,
            @Valid @NotNull @DefaultValue Probe queue,
            @Valid @NotNull @DefaultValue Probe sched) {}

    /**
     * One kernel object.
     *
     * @param enabled Whether the object is loaded and attached.
     */
    public record Probe(@DefaultValue("true") boolean enabled) {}

    /**
     * What the Prometheus endpoint shows.
     *
     * @param maxSeries Peers, listeners and cgroups shown by name, each; the rest are added up as ~other.
     * @param idleAfter Silence after which an endpoint is no longer shown.
     */
    public record Metrics(
            @Min(1) @Max(10_000) @DefaultValue("100") int maxSeries,
            @NotNull @DefaultValue("5m") Duration idleAfter) {}
}

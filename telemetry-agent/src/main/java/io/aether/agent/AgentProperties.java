// SPDX-License-Identifier: Apache-2.0
package io.aether.agent;

import io.aether.agent.bpf.ControlSettings;
import io.aether.agent.bpf.HealthSettings;
import io.aether.agent.bpf.MarkSettings;
import jakarta.validation.Valid;
import jakarta.validation.constraints.AssertTrue;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Size;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
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
 * @param programStatistics Whether the kernel counts runs and run time of its programs while the agent runs.
 * @param probes Which kernel objects are loaded.
 * @param metrics What the Prometheus endpoint shows.
 * @param pin Where the kernel's maps and links outlive a killed agent.
 * @param dropPrivileges Whether capabilities are given up once everything is attached.
 */
@Validated
@ConfigurationProperties("aether.agent")
public record AgentProperties(
        @NotNull @DefaultValue("/run/aether/health") Path tablePath,
        @Min(64) @Max(1 << 20) @DefaultValue("4096") int slots,
        @Nullable Path cgroup,
        @NotNull @DefaultValue("50ms") Duration congestedRtt,
        @NotNull @DefaultValue("10ms") Duration stallAfter,
        @DefaultValue("false") boolean programStatistics,
        @Valid @NotNull @DefaultValue Probes probes,
        @Valid @NotNull @DefaultValue Metrics metrics,
        @Valid @NotNull @DefaultValue Pin pin,
        @DefaultValue("true") boolean dropPrivileges) {

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

    @AssertTrue(
            message = "aether.agent.probes.health.prefixes must be at most 256 networks such as 10.0.0.0/8 or fc00::/7")
    boolean isHealthPrefixesValid() {
        return HealthSettings.areValid(probes.health().prefixes());
    }

    @AssertTrue(message = "aether.agent.probes.health.delayed-ack must be between 0ms and 200ms")
    boolean isHealthDelayedAckInRange() {
        return between(probes.health().delayedAck(), Duration.ZERO, Duration.ofMillis(200));
    }

    @AssertTrue(
            message = "aether.agent.probes.ecn.mark-from must be between 1ms and 10s, and shorter than mark-all,"
                    + " which must be at most 60s")
    boolean isEcnThresholdsInRange() {
        EcnProbe ecn = probes.ecn();
        return between(ecn.markFrom(), Duration.ofMillis(1), Duration.ofSeconds(10))
                && between(ecn.markAll(), ecn.markFrom().plusMillis(1), Duration.ofMinutes(1));
    }

    @AssertTrue(message = "aether.agent.probes.ecn.scrub-prefixes must be at most 256 networks such as 10.0.0.0/8")
    boolean isEcnScrubPrefixesValid() {
        return MarkSettings.areValid(probes.ecn().scrubPrefixes());
    }

    @AssertTrue(message = "aether.agent.probes.cc.networks must be at most 256 networks such as 10.0.0.0/8 or fc00::/7")
    boolean isCcNetworksValid() {
        return ControlSettings.areNetworks(probes.cc().networks());
    }

    @AssertTrue(message = "aether.agent.probes.cc.rto-min must be 0ms, or between 4ms and 1s")
    boolean isCcRtoMinInRange() {
        return ControlSettings.isRtoMin(probes.cc().rtoMin());
    }

    @AssertTrue(message = "aether.agent.metrics.min-cgroup-age must be between 0s and 1h")
    boolean isMinCgroupAgeInRange() {
        return between(metrics.minCgroupAge(), Duration.ZERO, Duration.ofHours(1));
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
     * @param health Health of peers on other nodes, in a TCP option.
     * @param http Status classes and time to first byte of plaintext HTTP.
     * @param tls The same for HTTP inside TLS, of OpenSSL and netty-tcnative.
     * @param ecn Marks on answers by the endpoint's own queue, and their count per peer.
     * @param cc Congestion control of the cgroups that opted in.
     */
    public record Probes(
            @Valid @NotNull @DefaultValue Probe flow,
            @Valid @NotNull @DefaultValue Probe queue,
            @Valid @NotNull @DefaultValue Probe sched,
            @Valid @NotNull @DefaultValue HealthProbe health,
            @Valid @NotNull @DefaultValue Probe http,
            @Valid @NotNull @DefaultValue Probe tls,
            @Valid @NotNull @DefaultValue EcnProbe ecn,
            @Valid @NotNull @DefaultValue CcProbe cc) {}

    /**
     * One kernel object.
     *
     * @param enabled Whether the object is loaded and attached.
     */
    public record Probe(@DefaultValue("true") boolean enabled) {}

    /**
     * The health option.
     *
     * @param enabled Whether the object is loaded and attached.
     * @param prefixes Networks whose hosts are told of this node's servers and believed about theirs.
     * @param delayedAck The longest that this node's servers hold back an acknowledgement towards a peer that listens; 0
     *     leaves it to the kernel.
     */
    public record HealthProbe(
            @DefaultValue("true") boolean enabled,

            @NotNull
            @DefaultValue({"10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "127.0.0.0/8", "fc00::/7", "::1/128"})
            List<String> prefixes,

            @NotNull @DefaultValue("8ms") Duration delayedAck) {}

    /**
     * Marks on answers.
     *
     * @param enabled Whether the object is loaded and attached.
     * @param markFrom Wait in an endpoint's own queue above which its answers are marked.
     * @param markAll Wait from which all of them are.
     * @param scrub Whether marks that a peer's own pressure explains end at the interface of their receiver, before they
     *     slow down the peer's TCP.
     * @param scrubPrefixes Networks whose marks end there whatever their hosts say of themselves.
     * @param ask Whether connections ask for ECN where the other end runs an agent too, and grant it to those that do.
     */
    public record EcnProbe(
            @DefaultValue("true") boolean enabled,
            @NotNull @DefaultValue("5ms") Duration markFrom,
            @NotNull @DefaultValue("20ms") Duration markAll,
            @DefaultValue("true") boolean scrub,
            @NotNull @DefaultValue List<String> scrubPrefixes,
            @DefaultValue("true") boolean ask) {}

    /**
     * Congestion control.
     *
     * @param enabled Whether the object is loaded and attached.
     * @param cgroups Directories of the cgroups that opted in, absolute or below the watched one; the watched one itself
     *     when empty.
     * @param networks Peers towards which it is used.
     * @param rtoMin Least retransmission timeout towards them; 0 leaves it to the kernel.
     */
    public record CcProbe(
            @DefaultValue("false") boolean enabled,

            @NotNull @Size(max = 8) @DefaultValue List<Path> cgroups,

            @NotNull @DefaultValue({"10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "fc00::/7"})
            List<String> networks,

            @NotNull @DefaultValue("10ms") Duration rtoMin) {}

    /**
     * What the Prometheus endpoint shows.
     *
     * @param maxSeries Peers, listeners and cgroups shown by name, each; the rest are added up as ~other.
     * @param idleAfter Silence after which an endpoint is no longer shown.
     * @param minCgroupAge Age from which a cgroup is shown by name; younger ones are added up as ~other.
     */
    public record Metrics(
            @Min(1) @Max(10_000) @DefaultValue("100") int maxSeries,
            @NotNull @DefaultValue("5m") Duration idleAfter,
            @NotNull @DefaultValue("30s") Duration minCgroupAge) {}

    /**
     * Where the kernel's maps and links outlive a killed agent.
     *
     * @param enabled Whether they do.
     * @param directory Directory right below a bpf file system; made when missing.
     * @param keepOnStop Whether a normal end leaves them too, so that an upgrade has no gap; else it removes them.
     */
    public record Pin(
            @DefaultValue("true") boolean enabled,
            @NotNull @DefaultValue("/sys/fs/bpf/aether") Path directory,
            @DefaultValue("false") boolean keepOnStop) {}
}

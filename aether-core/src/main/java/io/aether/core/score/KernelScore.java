// SPDX-License-Identifier: Apache-2.0
package io.aether.core.score;

import io.aether.core.table.EndpointHealth;

/**
 * What the kernel's signals say of an instance. Pure functions; times are CLOCK_MONOTONIC ns.
 *
 * <p>A signal counts by the time it is about to cost, relative to the time a request takes anyway: 180 us of round trip
 * more than its minimum are nothing to a request of 2 ms, and ruin to one of 100 us. Requests shorter than
 * {@link #LEAST_LATENCY} count as that long, for below it the signals are mostly noise (a loopback's round trip varies
 * between 20 and 200 us).
 */
public final class KernelScore {
    /** The health factor's upper bound: signals may prefer, they may not condemn. */
    public static final double MOST = 4;

    static final double LEAST_LATENCY = 1_000_000;

    /** What a lost segment of a short answer costs: Linux's least retransmission timeout. */
    private static final double LOSS_NANOS = 200_000_000;
    /** Times a request waits for a CPU: to be read, to be worked on, to be answered. */
    private static final double WAITS_FOR_CPU = 3;
    /** The bandwidth controller's period, most of which a throttled request waits. */
    private static final double PERIOD_NANOS = 100_000_000;

    /** A latency is not load: it may be older than a second, but an instance that recovers must be tried again. */
    private static final long NODE_LATENCY_LASTS = 10_000_000_000L;

    private KernelScore() {}

    /** The health factor in [1, 4]; 1 is neutral, and whatever is missing or stale is neutral. */
    public static double factor(EndpointHealth health, long now, double latencyNanos) {
        double scale = Math.max(LEAST_LATENCY, latencyNanos);
        double path = Freshness.bound(pathFactor(health, scale), health.pathTimeNanos, now);
        double marks = Freshness.bound(1 + health.cePermille / 1000.0, health.ecnTimeNanos, now);
        double report = Freshness.bound(reportFactor(health, scale), health.reportTimeNanos, now);
        return clamp(path * marks * report);
    }

    private static double pathFactor(EndpointHealth health, double scale) {
        double queueing = Math.max(0, health.srttMicros - health.minRttMicros) * 1000.0;
        double loss = health.retransPermille / 1000.0 * LOSS_NANOS;
        return clamp(1 + (queueing + loss) / scale);
    }

    private static double reportFactor(EndpointHealth health, double scale) {
        double cpu = WAITS_FOR_CPU * health.runQueueMicros * 1000.0;
        double throttled = health.throttledPermille / 1000.0 * PERIOD_NANOS;
        double queue = Math.max(health.stallAgeMicros, health.sojournMicros) * 1000.0;
        double pressure = health.pressure / 255.0 * (MOST - 1);
        return clamp(1 + (cpu + throttled + queue) / scale + pressure);
    }

    /** The kernel saw the listening socket close, and nobody listen since. */
    public static boolean gone(EndpointHealth health, long now) {
        return health.gone() && Freshness.fresh(health.reportTimeNanos, now);
    }

    /** Requests lie unread. */
    public static boolean stalled(EndpointHealth health, long now) {
        return health.stalled() && Freshness.fresh(health.reportTimeNanos, now);
    }

    /** Requests lie unread, or the path to it is congested. */
    public static boolean degraded(EndpointHealth health, long now) {
        return stalled(health, now) || (health.congested() && Freshness.fresh(health.pathTimeNanos, now));
    }

    /** Time to first byte as all clients of this node see it, in ns; 0 when unknown or older than 10 s. */
    public static double nodeLatency(EndpointHealth health, long now) {
        boolean known = health.httpTimeNanos != 0 && now - health.httpTimeNanos < NODE_LATENCY_LASTS;
        return known ? health.ttfbMicros * 1000.0 : 0;
    }

    private static double clamp(double factor) {
        return Math.max(1, Math.min(MOST, factor));
    }
}

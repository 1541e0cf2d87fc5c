// SPDX-License-Identifier: Apache-2.0
package io.aether.starter.server;

import io.aether.core.NanoClock;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * What answers say of this server's load, in the format of ORCA that Envoy and gRPC read. Written ten times a second, so that an
 * answer costs no more than the bytes. Off unless asked for: 130 bytes in every answer are not for everybody, nor is the load of a
 * server everybody's business.
 */
public final class LoadHeader {
    private static final double RATE_TAU_NANOS = 1e9;
    private static final double NANOS_PER_MILLI = 1e6;

    private final ServerLoad load;
    private final OwnQueue queue;
    private final CpuQueue cpu;
    private final ServerGate gate;
    private final NanoClock clock;
    private final LatencyByLoad latency;
    private long lastNanos;
    private long lastAnswered;
    private long lastFailed;
    private double rate;
    private double failures;
    private volatile @Nullable String text;

    /** From now on {@code load} keeps what the header tells. */
    public LoadHeader(ServerLoad load, OwnQueue queue, CpuQueue cpu, ServerGate gate, NanoClock clock) {
        this.load = load;
        this.queue = queue;
        this.cpu = cpu;
        this.gate = gate;
        this.clock = clock;
        this.latency = load.keepLatency();
        this.lastNanos = clock.nanos();
    }

    /** The header's value now; null before it was first written. */
    public @Nullable String value() {
        return text;
    }

    /** Writes it anew. Called by one thread. */
    public void tick() {
        long now = clock.nanos();
        long passed = now - lastNanos;
        if (passed <= 0) {
            return;
        }
        long answered = load.answered();
        long failed = load.failed();
        double weight = 1 - Math.exp(-passed / RATE_TAU_NANOS);
        rate += weight * ((answered - lastAnswered) * 1e9 / passed - rate);
        failures += weight * ((failed - lastFailed) * 1e9 / passed - failures);
        lastNanos = now;
        lastAnswered = answered;
        lastFailed = failed;
        double application = queue.waitNanos(now) / Math.max(1, gate.hardLimitNanos());
        int inFlight = load.inFlight();
        text = String.format(
                Locale.ROOT,
                "TEXT cpu_utilization=%.3f,application_utilization=%.3f,rps_fractional=%.1f,eps=%.1f,"
                        + "named_metrics.in_flight=%d,named_metrics.latency_ms=%.3f",
                cpu.usage(),
                Math.min(10, Math.max(application, cpu.usage())),
                rate,
                failures,
                inFlight,
                latency.medianNanos(inFlight) / NANOS_PER_MILLI);
    }
}

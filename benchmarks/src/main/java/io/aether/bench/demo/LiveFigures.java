// SPDX-License-Identifier: Apache-2.0
package io.aether.bench.demo;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.EnumMap;
import java.util.Map;

/**
 * The last checkouts of each arm while somebody switches among them. Latency counts from the intended start, as in
 * {@link Results}, and so does the arm that a checkout belongs to. Thread-safe.
 */
final class LiveFigures {

    /** Checkouts kept of each arm: enough for P99.9 to be more than the slowest alone only when all of them are there. */
    static final int KEPT = 2_000;

    private static final long SETTLE_NANOS = (long) (Schedule.SETTLE * 1e9);

    private final double rate;
    private final Map<Arm, Deque<Results.Timed>> last = new EnumMap<>(Arm.class);
    private long t0 = Long.MAX_VALUE;
    private Arm arm;
    private long countsFrom;

    /** @param arm the one that runs */
    LiveFigures(double rate, Arm arm, long nowNanos) {
        this.rate = rate;
        this.arm = arm;
        this.countsFrom = nowNanos;
    }

    /** Checkouts a second. */
    double rate() {
        return rate;
    }

    /** From {@code nowNanos} on {@code next} runs; what starts while the switch takes hold counts for no arm. */
    synchronized void switched(Arm next, long nowNanos) {
        arm = next;
        countsFrom = nowNanos + SETTLE_NANOS;
    }

    /** Drops all, and what is under way. */
    synchronized void forget(long nowNanos) {
        last.clear();
        countsFrom = nowNanos;
    }

    synchronized void add(Checkout checkout) {
        long offset = (long) (checkout.index() * 1e9 / rate);
        t0 = Math.min(t0, checkout.sent() - offset);
        if (t0 + offset - countsFrom < 0) {
            return;
        }
        Deque<Results.Timed> kept = last.computeIfAbsent(arm, any -> new ArrayDeque<>());
        kept.add(new Results.Timed(offset / 1e9, Math.max(0, checkout.done() - t0 - offset) / 1e6, checkout.ok()));
        if (kept.size() > KEPT) {
            kept.remove();
        }
    }

    /** Over what is kept of that arm. */
    synchronized Figures of(Arm which) {
        Figures figures = new Figures(which);
        last.getOrDefault(which, new ArrayDeque<>()).forEach(figures::add);
        return figures;
    }
}

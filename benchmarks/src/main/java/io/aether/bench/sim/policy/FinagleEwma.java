// SPDX-License-Identifier: Apache-2.0
package io.aether.bench.sim.policy;

import io.aether.core.Dice;
import org.jspecify.annotations.Nullable;

/**
 * Finagle's P2C with peak EWMA (twitter/finagle, {@code p2c/P2CPeakEwma}, {@code PeakEwma}): cost jumps to any latency
 * above it and decays towards lower ones, and to nothing while idle, with 10 s; load is {@code cost * (pending + 1)}, and
 * a server that has a request and no answer yet is the last choice. With its default failure accrual: five failures
 * in a row mark it dead for 5 s, at most 300 s.
 */
public final class FinagleEwma extends TwoChoices<FinagleEwma.Cost> {
    static final double TAU_NANOS = 10e9;
    private static final double PENALTY = 1L << 47;

    /** Of one server. */
    static final class Cost extends TwoChoices.Stats {
        double nanos;
        long stamp;

        void observe(double latency, long now) {
            double weight = Math.exp(-Math.max(0, now - stamp) / TAU_NANOS);
            nanos = latency > nanos ? latency : nanos * weight + latency * (1 - weight);
            stamp = now;
        }
    }

    public FinagleEwma(Dice dice) {
        super(dice, Cost::new);
    }

    @Override
    double load(Cost cost, long now) {
        cost.observe(0, now);
        return cost.nanos < 1 && cost.inFlight > 0 ? PENALTY + cost.inFlight : cost.nanos * (cost.inFlight + 1);
    }

    @Override
    int failuresToEject() {
        return 5;
    }

    @Override
    long ejectionNanos(int n) {
        return Math.min(300, 5L << Math.min(10, n - 1)) * 1_000_000_000L;
    }

    @Override
    void observe(Cost cost, long latency, long now, Ending ending, @Nullable Load load) {
        cost.observe((double) latency, now);
    }
}

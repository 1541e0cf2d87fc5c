// SPDX-License-Identifier: Apache-2.0
package io.aether.bench.sim.policy;

import io.aether.core.Dice;
import org.jspecify.annotations.Nullable;

/**
 * Linkerd's penalty peak EWMA (linkerd2-proxy, {@code linkerd-ewma} and {@code linkerd-load-biaser}, June 2026): Tower's
 * peak EWMA with 10 s, seeded with 30 ms, read without being changed; a failure is observed as
 * {@code max(5 s, current)}. With its breaker: seven failures in a row, 1 s to 60 s.
 */
public final class LinkerdEwma extends TwoChoices<LinkerdEwma.Cost> {
    private static final double TAU_NANOS = 10e9;
    private static final double SEED_NANOS = 30e6;
    private static final double PENALTY_NANOS = 5e9;

    /** Of one server. */
    static final class Cost extends TwoChoices.Stats {
        private double nanos = SEED_NANOS;
        private long stamp;

        double at(long now) {
            return stamp == 0 ? nanos : nanos * Math.exp(-Math.max(0, now - stamp) / TAU_NANOS);
        }

        void observe(double latency, long now) {
            double present = at(now);
            double weight = stamp == 0 ? 1 : Math.exp(-Math.max(0, now - stamp) / TAU_NANOS);
            nanos = latency > present ? latency : nanos * weight + latency * (1 - weight);
            stamp = now;
        }
    }

    public LinkerdEwma(Dice dice) {
        super(dice, Cost::new);
    }

    @Override
    double load(Cost cost, long now) {
        return cost.at(now) * (cost.inFlight + 1);
    }

    @Override
    int failuresToEject() {
        return 7;
    }

    @Override
    long ejectionNanos(int n) {
        return Math.min(60, 1L << Math.min(10, n - 1)) * 1_000_000_000L;
    }

    @Override
    void observe(Cost cost, long latency, long now, Ending ending, @Nullable Load load) {
        cost.observe(ending == Ending.OK ? latency : Math.max(PENALTY_NANOS, cost.at(now)), now);
    }
}

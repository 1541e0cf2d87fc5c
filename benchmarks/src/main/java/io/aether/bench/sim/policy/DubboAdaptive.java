// SPDX-License-Identifier: Apache-2.0
package io.aether.bench.sim.policy;

import io.aether.core.Dice;
import org.jspecify.annotations.Nullable;

/**
 * Dubbo's adaptive balancer by its formula (apache/dubbo, {@code AdaptiveMetrics}):
 * {@code cpu * (sqrt(ewma ms) + 1) * (in flight + 1) / (successes / (requests + 1) * weight + 1)}, the average with 0.5, and
 * no load for who was not picked for twice the timeout. The formula as meant: released versions overwrite the
 * latency with the penalty at every answer (issue 15810), which this does not.
 */
public final class DubboAdaptive extends TwoChoices<DubboAdaptive.Metrics> {
    private static final double WEIGHT = 100;
    /** Dubbo's default timeout. */
    private static final long TIMEOUT_NANOS = 1_000_000_000L;

    /** Of one server. */
    static final class Metrics extends TwoChoices.Stats {
        double cpu;
        double ewmaMillis;
        long requests;
        long successes;
        long picked;
    }

    public DubboAdaptive(Dice dice) {
        super(dice, Metrics::new);
    }

    @Override
    public int pick(long now) {
        int chosen = super.pick(now);
        Metrics metrics = stats(chosen);
        metrics.requests++;
        metrics.picked = now;
        return chosen;
    }

    @Override
    double load(Metrics metrics, long now) {
        return now - metrics.picked > 2 * TIMEOUT_NANOS ? 0 : formula(metrics);
    }

    static double formula(Metrics metrics) {
        double success = (double) metrics.successes / (metrics.requests + 1) * WEIGHT;
        return metrics.cpu * (Math.sqrt(metrics.ewmaMillis) + 1) * (metrics.inFlight + 1) / (success + 1);
    }

    @Override
    void observe(Metrics metrics, long latency, long now, Ending ending, @Nullable Load load) {
        if (load != null) {
            metrics.cpu = load.utilisation();
        }
        if (ending == Ending.OK) {
            metrics.successes++;
        }
        double millis = ending == Ending.TIMEOUT ? 2 * TIMEOUT_NANOS / 1e6 : latency / 1e6;
        metrics.ewmaMillis = (metrics.ewmaMillis + millis) / 2;
    }
}

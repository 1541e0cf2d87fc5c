// SPDX-License-Identifier: Apache-2.0
package io.aether.bench.sim.policy;

import io.aether.core.Dice;
import org.jspecify.annotations.Nullable;

/** Two choices by the client's own requests in flight: Envoy's LEAST_REQUEST with equal weights, gRPC's A48. */
public final class LeastRequest extends TwoChoices<TwoChoices.Stats> {
    public LeastRequest(Dice dice) {
        super(dice, Stats::new);
    }

    @Override
    double load(Stats stats, long now) {
        return stats.inFlight;
    }

    @Override
    void observe(Stats stats, long latency, long now, Ending ending, @Nullable Load load) {}
}

// SPDX-License-Identifier: Apache-2.0
package io.aether.bench.overload.sim;

import io.aether.core.NanoClock;
import java.util.function.Function;

/**
 * One run: demand of 0.7 of capacity, then {@code factor} times capacity, then 0.7 again, from clients that each send at
 * random and never wait for answers.
 *
 * @param clients how many; each with a gate of its own
 * @param factor demand over capacity during the overload
 * @param marks whether packets are ECN-capable
 * @param refusalNanos what a refusal costs a worker
 * @param mix which requests there are
 * @param seed of all draws
 * @param gate makes a client's gate
 */
public record Trial(
        int clients,
        double factor,
        boolean marks,
        long refusalNanos,
        Mix mix,
        long seed,
        Function<NanoClock, Gate> gate) {

    /** Aether's limiter, marks, refusals that cost nothing. */
    public static Trial aether(int clients, double factor, long seed) {
        return new Trial(clients, factor, true, 0, Mix.EQUAL, seed, AetherGate::new);
    }

    /** The same on a path that bleaches marks. */
    public Trial withoutMarks() {
        return new Trial(clients, factor, false, refusalNanos, mix, seed, gate);
    }

    /** The same where each refusal costs a worker 1 ms. */
    public Trial withCostlyRefusals() {
        return new Trial(clients, factor, marks, 1_000_000, mix, seed, gate);
    }

    /** The same with other requests. */
    public Trial with(Mix other) {
        return new Trial(clients, factor, marks, refusalNanos, other, seed, gate);
    }

    /** The same with other gates. */
    public Trial with(Function<NanoClock, Gate> other) {
        return new Trial(clients, factor, marks, refusalNanos, mix, seed, other);
    }
}

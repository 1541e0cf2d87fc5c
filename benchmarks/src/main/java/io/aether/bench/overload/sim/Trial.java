// SPDX-License-Identifier: Apache-2.0
package io.aether.bench.overload.sim;

import io.aether.bench.overload.Mix;
import io.aether.bench.overload.Target;

/**
 * One run: demand of 0.7 of capacity, then {@code factor} times capacity, then 0.7 again, from clients that each send at
 * random and never wait for answers.
 *
 * @param policy what is done about it
 * @param clients how many; each with a gate of its own
 * @param factor demand over capacity during the overload
 * @param refusalNanos what a refusal costs a worker
 * @param mix which requests there are
 * @param seed of all draws
 */
public record Trial(Policy policy, int clients, double factor, long refusalNanos, Mix mix, long seed) {

    /** Requests all alike, refusals that cost nothing. */
    public static Trial of(Policy policy, int clients, double factor, long seed) {
        return new Trial(policy, clients, factor, 0, Mix.EQUAL, seed);
    }

    /** The same where each refusal costs a worker 1 ms. */
    public Trial withCostlyRefusals() {
        return new Trial(policy, clients, factor, Target.REFUSAL_NANOS, mix, seed);
    }

    /** The same with other requests. */
    public Trial with(Mix other) {
        return new Trial(policy, clients, factor, refusalNanos, other, seed);
    }
}

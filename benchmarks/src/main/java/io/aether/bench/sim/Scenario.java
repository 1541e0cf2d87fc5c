// SPDX-License-Identifier: Apache-2.0
package io.aether.bench.sim;

import java.util.function.BiConsumer;
import java.util.function.Supplier;

/**
 * A case that policies are compared in.
 *
 * @param healthy nothing is wrong: nobody may be worse than round robin here
 * @param seconds measured virtual seconds of a full run, all its seeds together
 * @param affected servers from 0 to this one (exclusive) are those that something is wrong with
 * @param plan what stands
 * @param script what happens; gets the measured seconds
 */
record Scenario(
        String name,
        boolean healthy,
        double seconds,
        int affected,
        Supplier<Plan> plan,
        BiConsumer<World, Double> script) {

    /** Averages settle (their time constant is 10 s) and meters fill before anything counts. */
    private static final double WARM_SECONDS = 12;

    static final int SEEDS = 2;
    private static final int QUICKER = 8;

    /** One run of one policy; quick ones are shorter. */
    Tally run(Arm arm, long seed, boolean quick) {
        double length = quick ? seconds / QUICKER : seconds / SEEDS;
        return new World(plan.get(), arm, seed).run(quick ? WARM_SECONDS / 3 : WARM_SECONDS, length, script);
    }
}

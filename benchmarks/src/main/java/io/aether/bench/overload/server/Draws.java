// SPDX-License-Identifier: Apache-2.0
package io.aether.bench.overload.server;

import io.aether.bench.overload.Target;
import io.aether.bench.sim.Chance;
import java.util.Arrays;

/**
 * Service times: a thousand lognormal draws, scaled so that their mean is exact, over and over in another order. Of draws
 * without end the mean of a short run is off by 2 %, and with it the capacity that everything is compared with. Not
 * thread-safe.
 */
final class Draws {
    private static final int COUNT = 1000;

    private final long[] nanos = new long[COUNT];
    private final Chance chance;
    private int next = COUNT;

    Draws(long seed) {
        chance = new Chance(seed);
        double[] draws = new double[COUNT];
        Arrays.setAll(draws, i -> chance.lognormal(Target.VARIATION));
        double mean = Arrays.stream(draws).average().orElseThrow();
        Arrays.setAll(nanos, i -> Math.round(draws[i] / mean * Target.MEAN_NANOS));
    }

    long next() {
        if (next == COUNT) {
            shuffle();
            next = 0;
        }
        return nanos[next++];
    }

    private void shuffle() {
        for (int i = COUNT - 1; i > 0; i--) {
            int other = chance.below(i + 1);
            long moved = nanos[i];
            nanos[i] = nanos[other];
            nanos[other] = moved;
        }
    }
}

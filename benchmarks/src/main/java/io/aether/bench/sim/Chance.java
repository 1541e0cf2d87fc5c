// SPDX-License-Identifier: Apache-2.0
package io.aether.bench.sim;

import io.aether.core.Dice;
import java.util.SplittableRandom;

/** Seeded draws. Not thread-safe. */
public final class Chance implements Dice {
    private final SplittableRandom random;
    private double spare = Double.NaN;

    public Chance(long seed) {
        random = new SplittableRandom(seed);
    }

    @Override
    public int below(int bound) {
        return random.nextInt(bound);
    }

    /** Uniform in [0, 1). */
    public double uniform() {
        return random.nextDouble();
    }

    boolean happens(double probability) {
        return probability > 0 && random.nextDouble() < probability;
    }

    double exponential(double mean) {
        return -Math.log(1 - random.nextDouble()) * mean;
    }

    /** Mean 1 and the given coefficient of variation. */
    double lognormal(double variation) {
        double variance = Math.log1p(variation * variation);
        return Math.exp(Math.sqrt(variance) * gaussian() - variance / 2);
    }

    /** Marsaglia's polar method. */
    private double gaussian() {
        double ready = spare;
        if (!Double.isNaN(ready)) {
            spare = Double.NaN;
            return ready;
        }
        double x;
        double y;
        double s;
        do {
            x = 2 * random.nextDouble() - 1;
            y = 2 * random.nextDouble() - 1;
            s = x * x + y * y;
        } while (s >= 1 || s == 0);
        double scale = Math.sqrt(-2 * Math.log(s) / s);
        spare = y * scale;
        return x * scale;
    }
}

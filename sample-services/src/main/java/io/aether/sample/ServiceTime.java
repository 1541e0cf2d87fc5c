// SPDX-License-Identifier: Apache-2.0
package io.aether.sample;

import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * A lognormal waiting time, sometimes a multiple of itself. Stateless; the source of randomness is passed in.
 *
 * @param mean mean without the slow part, in milliseconds
 * @param cv standard deviation over mean
 * @param slowShare share of the draws that are slow, 0 to 1
 * @param slowFactor factor of a slow draw
 */
public record ServiceTime(double mean, double cv, double slowShare, double slowFactor) {

    static ServiceTime of(double meanMillis, double cv) {
        return new ServiceTime(meanMillis, cv, 0, 1);
    }

    ServiceTime slower(double share, double factor) {
        return new ServiceTime(mean, cv, share, factor);
    }

    /** Draws one time. The underlying normal's parameters follow from mean and CV of the lognormal. */
    public Duration draw(RandomGenerator random) {
        double variance = Math.log1p(cv * cv);
        double millis = mean * Math.exp(random.nextGaussian() * Math.sqrt(variance) - variance / 2);
        if (slowShare > 0 && random.nextDouble() < slowShare) {
            millis *= slowFactor;
        }
        return Duration.ofNanos((long) (millis * 1e6));
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.aether.core.pick;

import java.util.concurrent.atomic.LongAdder;

/**
 * How many of the requests leave their callers' zone: next to none while answers nearby take less than {@link #HEAT} times as long
 * as elsewhere, and then as many more, ten times a second, until they do no longer. A share rather than a price: estimates of
 * single instances jump with each slow answer, so the busy zone would always look the dearer one.
 *
 * <p>Counting is thread-safe and lock-free; {@link #judge} is for one thread at a time.
 */
final class Zones {
    /**
     * Crossing zones costs time and money, and so does a zone that is full: at twice the latency it was 95 % busy and P99 2.4 times
     * that of even shares, at 1.3 times 1.2 times that; at 1.25 hardly less (decision 62).
     */
    static final double HEAT = 1.3;
    /** What is always sent elsewhere, so that it is known how long answers take there. */
    static final double LEAST = 1 / 64.0;

    static final int UNITS = 1024;

    /** Most that the share changes in a tenth of a second: all of it in five seconds, slower than queues come and go. */
    private static final double STEP = 0.02;

    private static final double TENTH_NANOS = 100e6;
    private static final double TAU_NANOS = 0.3e9;
    /** Few answers come from elsewhere in calm times: they are remembered for longer, or chance would now and then look like heat. */
    private static final double SPARSE_TAU_NANOS = 10e9;

    private static final double SPARSE = 50;
    private static final double ENOUGH = 5;

    private final LongAdder nearNanos = new LongAdder();
    private final LongAdder nearAnswers = new LongAdder();
    private final LongAdder farNanos = new LongAdder();
    private final LongAdder farAnswers = new LongAdder();
    private double nearSum;
    private double nearCount;
    private double farSum;
    private double farCount;
    private double share = LEAST;
    private volatile int units = (int) (UNITS * LEAST);

    /** A good answer came. */
    void answered(boolean far, long nanos) {
        (far ? farNanos : nearNanos).add(nanos);
        (far ? farAnswers : nearAnswers).increment();
    }

    /** Of {@link #UNITS} requests, how many should leave the zone. */
    int units() {
        return units;
    }

    /** Takes in what came in the last {@code elapsed} ns. */
    void judge(long elapsed) {
        double keepNear = keep(nearCount, elapsed);
        double keepFar = keep(farCount, elapsed);
        nearSum = nearSum * keepNear + nearNanos.sumThenReset();
        nearCount = nearCount * keepNear + nearAnswers.sumThenReset();
        farSum = farSum * keepFar + farNanos.sumThenReset();
        farCount = farCount * keepFar + farAnswers.sumThenReset();
        double heat = nearCount < ENOUGH || farCount < ENOUGH ? 1 : nearSum / nearCount / (farSum / farCount);
        double step = STEP * Math.max(-1, Math.min(1, Math.log(heat / HEAT)));
        share = Math.max(LEAST, Math.min(1, share + step * Math.min(10, elapsed / TENTH_NANOS)));
        units = (int) (UNITS * share);
    }

    private static double keep(double count, long elapsed) {
        return Math.exp(-elapsed / (count < SPARSE ? SPARSE_TAU_NANOS : TAU_NANOS));
    }
}

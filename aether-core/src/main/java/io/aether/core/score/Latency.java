// SPDX-License-Identifier: Apache-2.0
package io.aether.core.score;

/**
 * A latency estimate and its time packed into one long, so that both change in one compare-and-set: the estimate in
 * nanoseconds as a float above, the time in units of 2^20 ns (1.05 ms) below. 0 is "no sample yet".
 *
 * <p>The estimate is an exponentially weighted mean over time (Finagle's peak EWMA is the model): a sample {@code dt}
 * after the last weighs {@code 1 - e^(-dt/tau)}. It is sensitive to peaks: a sample far above the estimate weighs at
 * least {@link #PEAK_WEIGHT}. Finagle jumps the whole way at any rise, which makes the estimate follow the largest of
 * the recent samples; among healthy instances that is a lottery that one of them wins for seconds.
 *
 * <p>All methods are pure.
 */
public final class Latency {
    /** A sample this many times the estimate is news, not spread: 2 % of a lognormal with a variation of 1. */
    static final double PEAK_RATIO = 4;

    static final double PEAK_WEIGHT = 0.3;

    /** Ages at which nothing to speak of is forgotten: spares busy fleets a division per candidate. */
    private static final double YOUNG = 0.002;

    private static final double MOST_RATIO = 10;

    private static final int TIME_SHIFT = 20;
    private static final int SKEW_UNITS = 10_000;

    private Latency() {}

    /** The word after a sample of {@code sampleNanos} at {@code now}. */
    public static long observe(long word, double sampleNanos, long now, double tauNanos) {
        if (word == 0) {
            return pack(Math.max(1, sampleNanos), now);
        }
        double current = raw(word);
        double weight = 1 - Math.exp(-ageNanos(word, now) / tauNanos);
        if (sampleNanos > PEAK_RATIO * current) {
            weight = Math.max(weight, PEAK_WEIGHT);
        }
        // At least one nanosecond, so that a word is never taken for "no sample".
        return pack(Math.max(1, current + weight * (sampleNanos - current)), now);
    }

    /**
     * The estimate at {@code now}: drawn from the last sample towards {@code restNanos} as time passes without one, so
     * that nobody is avoided for ever for what was long ago, and nobody loved. Nobody is more than {@link #MOST_RATIO} times
     * as slow as the rest, or one answer of a second would take minutes to forget. Reading changes nothing.
     *
     * @param perTau one over the time constant in ns
     */
    public static double at(long word, long now, double perTau, double restNanos) {
        if (word == 0) {
            return restNanos;
        }
        if (restNanos <= 0) {
            return raw(word);
        }
        double current = Math.min(raw(word), MOST_RATIO * restNanos);
        double age = ageNanos(word, now) * perTau;
        return age < YOUNG ? current : restNanos + (current - restNanos) * decay(age);
    }

    /** The estimate when it was last written, in ns. */
    public static double raw(long word) {
        return Float.intBitsToFloat((int) (word >>> 32));
    }

    /** Time since the last sample in ns; never negative, and right up to 52 days. */
    public static double ageNanos(long word, long now) {
        int units = (int) (now >> TIME_SHIFT) - (int) word;
        if (units <= 0 && units > -SKEW_UNITS) {
            return 0; // Written by a thread that looked at the clock after us.
        }
        return (double) (Integer.toUnsignedLong(units) << TIME_SHIFT);
    }

    static long pack(double number, long now) {
        long value = Float.floatToRawIntBits((float) number);
        return value << 32 | ((now >> TIME_SHIFT) & 0xffffffffL);
    }

    /** About {@code e^-x}, within 1 % of one, at a fifth of its price: good enough for ranking. */
    public static double decay(double x) {
        double y = 1 + x * (0.125 + x * 0.0078125);
        double y2 = y * y;
        double y4 = y2 * y2;
        return 1 / (y4 * y4);
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.aether.core.score;

/**
 * What an instance said of its load and when, packed into one long: requests in flight plus one and the time of an answer as the
 * upper halves of floats (right within half a percent), then the utilization in hundredths, then the time it came in units of
 * 2^20 ns (1.05 ms). 0 is "never heard". Pure.
 *
 * <p>The age is right up to 73 minutes; a word older than that may pass for new for a second, once, with the next answer to
 * put it right.
 */
public final class Heard {
    private static final int TIME_BITS = 22;
    private static final int USED_BITS = 10;
    private static final int TIME_MASK = (1 << TIME_BITS) - 1;
    private static final int USED_MASK = (1 << USED_BITS) - 1;
    private static final int UNIT_SHIFT = 20;
    /** Units by which a thread may be ahead that looked at the clock after us. */
    private static final int SKEW = 10_000;

    private Heard() {}

    /**
     * The word for what came at {@code now}.
     *
     * @param load as {@link LoadWord} has it, {@link LoadWord#VOID} without
     * @param utilization see {@link LoadReport}; 0 without
     */
    public static long of(long load, double utilization, long now) {
        boolean none = load == LoadWord.VOID;
        long present = none ? 0 : half(LoadWord.inFlight(load) + 1f);
        long time = none ? 0 : half((float) LoadWord.nanos(load));
        long used = Math.round(Math.max(0, Math.min(utilization * 100, USED_MASK)));
        return present << 48 | time << 32 | used << TIME_BITS | ((now >> UNIT_SHIFT) & TIME_MASK);
    }

    /** Whether it said how many requests are in flight. */
    public static boolean tellsInFlight(long word) {
        return word >>> 48 != 0;
    }

    /** Requests in flight, if it said so. */
    public static double inFlight(long word) {
        return whole(word >>> 48) - 1;
    }

    /** What an answer took it, in ns; 0 when it did not say. */
    public static double nanos(long word) {
        return whole(word >>> 32 & 0xffff);
    }

    /** The utilization; 0 when it did not say. */
    public static double utilization(long word) {
        return hundredths(word) / 100.0;
    }

    /** Whether it said more than that: for picks, which have no time to divide. */
    static boolean utilizationAbove(long word, int percent) {
        return hundredths(word) > percent;
    }

    private static int hundredths(long word) {
        return (int) (word >>> TIME_BITS & USED_MASK);
    }

    /** How long ago it came, in ns; never negative. */
    public static double ageNanos(long word, long now) {
        int units = (int) (now >> UNIT_SHIFT) - (int) word & TIME_MASK;
        return units > TIME_MASK - SKEW ? 0 : (double) ((long) units << UNIT_SHIFT);
    }

    private static int half(float number) {
        return (Float.floatToRawIntBits(number) + 0x7fff) >>> 16;
    }

    private static float whole(long half) {
        return Float.intBitsToFloat((int) half << 16);
    }
}

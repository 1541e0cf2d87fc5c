// SPDX-License-Identifier: Apache-2.0
package io.aether.core.score;

/** How much a signal may say at its age. Load-like signals that are old when read do more harm than good. */
final class Freshness {
    static final long FULL_NANOS = 100_000_000L;
    static final long NONE_NANOS = 1_000_000_000L;
    /** The most that a signal between those ages may do. */
    static final double STALE_BOUND = 1.5;

    /** Clocks of one machine agree; a little of the future is a write that overtook our look at the clock. */
    private static final long SKEW_NANOS = 10_000_000L;

    private Freshness() {}

    /** Whether a group written at {@code time} still counts. 0 was never written. */
    static boolean fresh(long time, long now) {
        return time != 0 && now - time < NONE_NANOS && time - now < SKEW_NANOS;
    }

    /**
     * Bounds a factor by its group's age: untouched up to 100 ms, then at most 1.5, sinking evenly to 1 at one second.
     */
    static double bound(double factor, long time, long now) {
        if (!fresh(time, now)) {
            return 1;
        }
        long age = now - time;
        if (age <= FULL_NANOS) {
            return factor;
        }
        double left = (double) (NONE_NANOS - age) / (NONE_NANOS - FULL_NANOS);
        return 1 + (Math.min(factor, STALE_BOUND) - 1) * left;
    }
}

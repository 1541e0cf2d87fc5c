// SPDX-License-Identifier: Apache-2.0
package io.aether.core.score;

/**
 * The latency that failures stand for, so that an instance that fails at once does not look like the fastest. Pure.
 *
 * <p>A failure counts as {@code max(current estimate, penalty, Retry-After)} (Linkerd's failure-aware peak EWMA is the
 * model). Unlike there the penalty is kept apart from the estimate and fades on its own, to nothing that matters in ten
 * seconds or so, not in the minute that five seconds need to fade at the estimate's pace; with every further failure in a
 * row the pace halves.
 */
public final class Penalty {
    private static final double FIRST_TAU_NANOS = 2e9;
    private static final double LAST_TAU_NANOS = 8e9;

    private Penalty() {}

    /**
     * What is left of a penalty.
     *
     * @param nanos the penalty when its hold ended
     * @param sinceNanos time since then; not positive while it holds
     * @param failures failures in a row so far
     */
    public static double left(double nanos, long sinceNanos, int failures) {
        if (nanos <= 0 || sinceNanos <= 0) {
            return nanos;
        }
        double tau = Math.min(LAST_TAU_NANOS, FIRST_TAU_NANOS * (1L << Math.min(20, Math.max(0, failures - 1))));
        return nanos * Latency.decay(sinceNanos / tau);
    }
}

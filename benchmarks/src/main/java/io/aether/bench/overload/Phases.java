// SPDX-License-Identifier: Apache-2.0
package io.aether.bench.overload;

/**
 * The parts of a bout: demand of 0.7 of capacity, overload, 0.7 again.
 *
 * @param calm before the step, ms; longer than the limiter's grace
 * @param settle from the step to what counts as steady, ms
 * @param steady from there to the end of the overload, ms
 * @param after what follows, ms
 */
public record Phases(int calm, int settle, int steady, int after) {
    /** Demand over capacity before and after. */
    public static final double NORMAL = 0.7;

    private static final long MILLI = 1_000_000L;

    public long stepNanos() {
        return calm * MILLI;
    }

    public long steadyNanos() {
        return stepNanos() + settle * MILLI;
    }

    public long endNanos() {
        return steadyNanos() + steady * MILLI;
    }

    public long overNanos() {
        return endNanos() + after * MILLI;
    }
}

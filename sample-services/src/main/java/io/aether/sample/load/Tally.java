// SPDX-License-Identifier: Apache-2.0
package io.aether.sample.load;

import java.util.Arrays;
import java.util.Locale;

/** Requests of one interval: how long they took, and how many failed. Thread-safe. */
final class Tally {

    private long[] nanos = new long[64];
    private int answered;
    private int failed;

    /** A request that was answered with success, and the time from when it was due. */
    synchronized void answered(long tookNanos) {
        if (answered == nanos.length) {
            nanos = Arrays.copyOf(nanos, 2 * answered);
        }
        nanos[answered++] = tookNanos;
    }

    /** A request that was answered with an error, too late, or not at all. */
    synchronized void failed() {
        failed++;
    }

    /** What there was since the last time, in one line; begins again. */
    synchronized String next() {
        long[] sorted = Arrays.copyOf(nanos, answered);
        Arrays.sort(sorted);
        String line = String.format(
                Locale.ROOT,
                "%d requests, %d failed, P50 %.1f ms, P99 %.1f ms, longest %.1f ms",
                answered + failed,
                failed,
                millis(sorted, 0.5),
                millis(sorted, 0.99),
                millis(sorted, 1));
        answered = 0;
        failed = 0;
        return line;
    }

    /** Nearest rank; 0 of nothing. */
    private static double millis(long[] sorted, double quantile) {
        int rank = (int) Math.ceil(quantile * sorted.length);
        return sorted.length == 0 ? 0 : sorted[Math.max(0, rank - 1)] / 1e6;
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.aether.bench.stall;

import io.aether.bench.Report;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;

/**
 * How long one arm's stalls took to show. Those during which a hypervisor gave a processor to another machine are kept apart:
 * they tell how long that took. Not thread-safe.
 */
final class Ages {
    private static final long MOST = TimeUnit.SECONDS.toNanos(10);
    private static final double NANOS_PER_MILLI = 1e6;

    private final Histogram calm = new Histogram(MOST, 3);
    private final Histogram disturbed = new Histogram(MOST, 3);

    /**
     * Adds one.
     *
     * @param nanos from the stop to the slot that says so
     * @param stolen whether a processor was away meanwhile
     */
    void add(long nanos, boolean stolen) {
        (stolen ? disturbed : calm).recordValue(nanos);
    }

    /** Adds its rows. */
    void report(Report report, String arm) {
        add(report, arm, calm);
        if (disturbed.getTotalCount() > 0) {
            add(report, arm + " disturbed", disturbed);
        }
    }

    private static void add(Report report, String rows, Histogram ages) {
        report.add("median " + rows, ages.getValueAtPercentile(50) / NANOS_PER_MILLI, "ms");
        report.add("p99 " + rows, ages.getValueAtPercentile(99) / NANOS_PER_MILLI, "ms");
        report.add("worst " + rows, ages.getMaxValue() / NANOS_PER_MILLI, "ms");
        report.add("freezes " + rows, (double) ages.getTotalCount(), "freezes");
    }
}

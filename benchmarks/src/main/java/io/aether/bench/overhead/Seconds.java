// SPDX-License-Identifier: Apache-2.0
package io.aether.bench.overhead;

import io.aether.bench.Change;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;

/**
 * Latencies by the second in which their requests were due. One second in which something else was up decides the 99th
 * percentile of a whole turn, but not that of its median second. Not thread-safe.
 */
final class Seconds {
    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);
    /** Finer would be a hundred kilobytes more for each second, and the clock's own steps. */
    private static final long LEAST_NANOS = 1_000;

    private static final long MOST_NANOS = 60 * SECOND;
    private static final int DIGITS = 3;

    private final List<Histogram> seconds = new ArrayList<>();

    /**
     * A request's.
     *
     * @param dueNanos since the run's start
     * @param nanos what it took
     */
    void record(long dueNanos, long nanos) {
        int second = (int) (dueNanos / SECOND);
        while (seconds.size() <= second) {
            seconds.add(histogram());
        }
        seconds.get(second).recordValue(Math.min(nanos, MOST_NANOS));
    }

    /** All of them. */
    Histogram whole() {
        Histogram whole = histogram();
        seconds.forEach(whole::add);
        return whole;
    }

    /** The median of the seconds' 99th percentiles, in us; without a last one that the run ended early, if there are others. */
    double p99Micros(long runNanos) {
        int whole = (int) Math.max(1, runNanos / SECOND);
        return Change.median(seconds.stream()
                .limit(whole)
                .map(second -> second.getValueAtPercentile(99) / 1e3)
                .toList());
    }

    private static Histogram histogram() {
        return new Histogram(LEAST_NANOS, MOST_NANOS, DIGITS);
    }
}

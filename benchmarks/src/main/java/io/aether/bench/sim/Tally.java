// SPDX-License-Identifier: Apache-2.0
package io.aether.bench.sim;

import java.util.Arrays;
import org.HdrHistogram.Histogram;

/**
 * What a run gave. Latencies are of all requests but those that were answered by an error: those would flatter whoever
 * collects fast errors, while one that timed out did wait. Not thread-safe.
 */
final class Tally {
    /** The herd index looks at windows this long. */
    static final long WINDOW_NANOS = 100 * Agenda.MILLI;

    private static final long MOST_MICROS = 600_000_000L;

    private final Histogram micros = new Histogram(MOST_MICROS, 3);
    private final int[] window;
    private final long[] received;
    private long requests;
    private long errors;
    private double dispersion;
    private int windows;

    Tally(int servers) {
        window = new int[servers];
        received = new long[servers];
    }

    void sent(int server) {
        window[server]++;
        received[server]++;
    }

    void ended(long nanos, boolean error, boolean fast) {
        requests++;
        if (error) {
            errors++;
        }
        if (!fast) {
            micros.recordValue(Math.min(MOST_MICROS, nanos / 1000));
        }
    }

    /** Ends a window over the servers that are listed. */
    void roll(int[] listed) {
        double sum = 0;
        double squares = 0;
        for (int server : listed) {
            sum += window[server];
            squares += (double) window[server] * window[server];
        }
        if (sum > 0) {
            double mean = sum / listed.length;
            dispersion += (squares / listed.length - mean * mean) / mean;
            windows++;
        }
        Arrays.fill(window, 0);
    }

    void add(Tally other) {
        micros.add(other.micros);
        requests += other.requests;
        errors += other.errors;
        dispersion += other.dispersion;
        windows += other.windows;
        for (int i = 0; i < received.length; i++) {
            received[i] += other.received[i];
        }
    }

    double millis(double percentile) {
        return micros.getValueAtPercentile(percentile) / 1000.0;
    }

    double meanMillis() {
        return micros.getMean() / 1000;
    }

    double errorPercent() {
        return requests == 0 ? 0 : 100.0 * errors / requests;
    }

    long requests() {
        return requests;
    }

    /**
     * Variance over mean of the requests per server in 100 ms: 0 when all get the same, 1 when each request goes
     * anywhere, more when they flock.
     */
    double herd() {
        return windows == 0 ? 0 : dispersion / windows;
    }

    /** Share of all requests that the servers from {@code from} to {@code to} (exclusive) got. */
    double share(int from, int to) {
        long sum = Arrays.stream(received).sum();
        return sum == 0 ? 0 : (double) Arrays.stream(received, from, to).sum() / sum;
    }

    long[] received() {
        return received.clone();
    }
}

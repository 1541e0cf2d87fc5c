// SPDX-License-Identifier: Apache-2.0
package io.aether.bench.incast;

import io.aether.bench.Report;
import java.util.Arrays;
import java.util.stream.LongStream;

/** The rounds of one policy. Not thread-safe. */
final class Rounds {
    private static final long BYTES = 32 * 32 * 1024;
    private static final long SLOW_MICROS = 200_000;

    private long[] micros = new long[0];

    /** Times of rounds, us, separated by spaces. */
    void add(String times) {
        long[] more = Arrays.stream(times.split(" ")).mapToLong(Long::parseLong).toArray();
        micros = LongStream.concat(Arrays.stream(micros), Arrays.stream(more))
                .sorted()
                .toArray();
    }

    void report(Report report, String name) {
        double mean = Arrays.stream(micros).average().orElse(Double.NaN);
        report.add("p50 " + name, percentile(50) / 1000.0, "ms");
        report.add("p99 " + name, percentile(99) / 1000.0, "ms");
        report.add("over200 " + name, 100.0 * slow() / micros.length, "%");
        report.add("goodput " + name, BYTES * 8 / mean, "Mbit/s");
    }

    private long slow() {
        return Arrays.stream(micros).filter(time -> time > SLOW_MICROS).count();
    }

    private long percentile(int percent) {
        return micros[Math.min(micros.length - 1, micros.length * percent / 100)];
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.aether.agent.metrics;

import static io.aether.agent.metrics.PeerSample.sum;
import static io.aether.agent.metrics.PeerSample.worse;

import io.aether.agent.view.HttpView;
import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.CounterSnapshot.CounterDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * The HTTP part of a peer's or a listener's row.
 *
 * @param firstByte seconds; NaN is "not shown"
 * @param answered in the last second; NaN is "not shown"
 * @param class2xx counter, as the next three
 */
record HttpSample(double firstByte, double answered, long class2xx, long class4xx, long class5xx, long unknown) {
    static final int COUNTERS = 4;

    private static final double MICROS_PER_SECOND = 1e6;

    /** No answer: nothing shown, nothing counted. */
    static final HttpSample NOTHING = new HttpSample(Double.NaN, Double.NaN, 0, 0, 0, 0);

    static HttpSample of(@Nullable HttpView http) {
        if (http == null) {
            return NOTHING;
        }
        return new HttpSample(
                http.ttfbMicros() / MICROS_PER_SECOND,
                http.answersPerSecond(),
                http.class2xx(),
                http.class4xx(),
                http.class5xx(),
                http.unknown());
    }

    HttpSample and(HttpSample other) {
        return new HttpSample(
                worse(firstByte, other.firstByte),
                sum(answered, other.answered),
                class2xx + other.class2xx,
                class4xx + other.class4xx,
                class5xx + other.class5xx,
                unknown + other.unknown);
    }

    /** The row of the rest; its counters start at {@code first} of the totals. */
    HttpSample asOther(long[] totals, int first) {
        return new HttpSample(
                Double.NaN, answered, totals[first], totals[first + 1], totals[first + 2], totals[first + 3]);
    }

    /** Its counters behind those given. */
    long[] counters(long... before) {
        return LongStream.concat(LongStream.of(before), LongStream.of(class2xx, class4xx, class5xx, unknown))
                .toArray();
    }

    /** The metrics without a label for the class. */
    static List<Column<HttpSample>> columns(String prefix) {
        return List.of(
                Column.gauge(
                        prefix + "_http_first_byte_seconds",
                        "Request's first byte to answer's first byte, smoothed",
                        HttpSample::firstByte),
                Column.gauge(
                        prefix + "_http_answers_per_second", "HTTP answers in the last second", HttpSample::answered));
    }

    /** Endpoints without any answer have no series. */
    static MetricSnapshot classes(String prefix, Map<Labels, HttpSample> rows) {
        CounterSnapshot.Builder builder =
                CounterSnapshot.builder().name(prefix + "_http_answers").help("HTTP answers by class of status");
        rows.forEach((labels, row) -> {
            if (LongStream.of(row.counters()).sum() > 0) {
                builder.dataPoint(count(labels, "2xx", row.class2xx));
                builder.dataPoint(count(labels, "4xx", row.class4xx));
                builder.dataPoint(count(labels, "5xx", row.class5xx));
                builder.dataPoint(count(labels, "unknown", row.unknown));
            }
        });
        return builder.build();
    }

    private static CounterDataPointSnapshot count(Labels labels, String status, long value) {
        return CounterDataPointSnapshot.builder()
                .labels(labels.add("class", status))
                .value((double) value)
                .build();
    }
}

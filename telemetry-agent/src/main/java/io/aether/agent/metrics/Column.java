// SPDX-License-Identifier: Apache-2.0
package io.aether.agent.metrics;

import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.CounterSnapshot.CounterDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot.GaugeDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/**
 * One metric of a table of samples.
 *
 * @param name without {@code _total}, which the exposition adds to counters
 * @param help one line
 * @param counter else a gauge
 * @param value in base units; NaN leaves the sample out
 */
record Column<T>(String name, String help, boolean counter, ToDoubleFunction<T> value) {
    static <T> Column<T> gauge(String name, String help, ToDoubleFunction<T> value) {
        return new Column<>(name, help, false, value);
    }

    static <T> Column<T> counter(String name, String help, ToDoubleFunction<T> value) {
        return new Column<>(name, help, true, value);
    }

    MetricSnapshot snapshot(Map<Labels, T> rows) {
        return counter ? counters(rows) : gauges(rows);
    }

    private MetricSnapshot counters(Map<Labels, T> rows) {
        CounterSnapshot.Builder builder = CounterSnapshot.builder().name(name).help(help);
        rows.forEach((labels, row) -> {
            double number = value.applyAsDouble(row);
            if (!Double.isNaN(number)) {
                builder.dataPoint(CounterDataPointSnapshot.builder()
                        .labels(labels)
                        .value(number)
                        .build());
            }
        });
        return builder.build();
    }

    private MetricSnapshot gauges(Map<Labels, T> rows) {
        GaugeSnapshot.Builder builder = GaugeSnapshot.builder().name(name).help(help);
        rows.forEach((labels, row) -> {
            double number = value.applyAsDouble(row);
            if (!Double.isNaN(number)) {
                builder.dataPoint(GaugeDataPointSnapshot.builder()
                        .labels(labels)
                        .value(number)
                        .build());
            }
        });
        return builder.build();
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.aether.agent.metrics;

import io.aether.agent.bpf.Histograms;
import io.prometheus.metrics.model.snapshots.ClassicHistogramBuckets;
import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.CounterSnapshot.CounterDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot.HistogramDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongFunction;

/** Run-queue waits per cgroup as Prometheus histograms: the kernel's buckets and sums as they are. Not thread-safe. */
final class CgroupSeries {
    private static final double MICROS_PER_SECOND = 1e6;
    private static final double NANOS_PER_SECOND = 1e9;
    private static final double[] BOUNDS = bounds();

    private final LongFunction<String> names;
    private final TopRows<RunQueueSample> rows;

    /**
     * @param maxSeries cgroups that keep their name
     * @param names the short name of a cgroup's id
     */
    CgroupSeries(int maxSeries, LongFunction<String> names) {
        this.names = names;
        rows = new TopRows<>(
                maxSeries,
                RunQueueSample.COUNTERS,
                RunQueueSample::count,
                RunQueueSample::counters,
                RunQueueSample::and,
                RunQueueSample::asOther);
    }

    List<MetricSnapshot> snapshots(Histograms histograms) {
        Map<Labels, RunQueueSample> named = new LinkedHashMap<>();
        for (Histograms.RunQueue runQueue : histograms.cgroups()) {
            Labels labels = Labels.of("cgroup", names.apply(runQueue.cgroup()));
            named.merge(labels, RunQueueSample.of(runQueue), RunQueueSample::and);
        }
        Map<Labels, RunQueueSample> shown = rows.rows(named, Map.of(), RunQueueSample.NOTHING);
        return List.of(waits(shown), preemptions(shown));
    }

    private static MetricSnapshot waits(Map<Labels, RunQueueSample> shown) {
        HistogramSnapshot.Builder builder = HistogramSnapshot.builder()
                .name("aether_cgroup_run_queue_seconds")
                .help("Wait for a CPU once a task could run");
        shown.forEach((labels, sample) -> builder.dataPoint(HistogramDataPointSnapshot.builder()
                .labels(labels)
                .classicHistogramBuckets(ClassicHistogramBuckets.of(BOUNDS, sample.buckets()))
                .sum(sample.sumNanos() / NANOS_PER_SECOND)
                .build()));
        return builder.build();
    }

    private static MetricSnapshot preemptions(Map<Labels, RunQueueSample> shown) {
        CounterSnapshot.Builder builder =
                CounterSnapshot.builder().name("aether_cgroup_preempted").help("Tasks that lost the CPU to another");
        shown.forEach((labels, sample) -> {
            builder.dataPoint(preempted(labels.add("by", "own"), sample.preemptedByOwn()));
            builder.dataPoint(preempted(labels.add("by", "other"), sample.preemptedByOthers()));
        });
        return builder.build();
    }

    private static CounterDataPointSnapshot preempted(Labels labels, long count) {
        return CounterDataPointSnapshot.builder()
                .labels(labels)
                .value((double) count)
                .build();
    }

    private static double[] bounds() {
        double[] bounds = new double[Histograms.BUCKETS];
        for (int i = 0; i < bounds.length - 1; i++) {
            bounds[i] = Histograms.upperBoundMicros(i) / MICROS_PER_SECOND;
        }
        bounds[bounds.length - 1] = Double.POSITIVE_INFINITY;
        return bounds;
    }
}

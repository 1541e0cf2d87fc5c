// SPDX-License-Identifier: Apache-2.0
package io.aether.agent.metrics;

import io.aether.agent.bpf.Histograms;
import io.aether.agent.cgroup.CgroupNames;
import io.aether.agent.metrics.RunQueueSample.Counter;
import io.prometheus.metrics.model.snapshots.ClassicHistogramBuckets;
import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.CounterSnapshot.CounterDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot.HistogramDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongFunction;
import java.util.function.LongSupplier;

/** Run-queue waits per cgroup as Prometheus histograms: the kernel's buckets and sums as they are. Not thread-safe. */
final class CgroupSeries {
    private static final double MICROS_PER_SECOND = 1e6;
    private static final double NANOS_PER_SECOND = 1e9;
    private static final double[] BOUNDS = bounds();

    static final Column<RunQueueSample> THROTTLES = Column.counter(
            "aether_cgroup_throttles", "Tasks that had to wait for quota", row -> row.get(Counter.THROTTLES));
    static final Column<RunQueueSample> THROTTLED = Column.counter(
            "aether_cgroup_throttled_seconds",
            "Time that tasks waited for quota",
            row -> row.get(Counter.THROTTLED_NANOS) / NANOS_PER_SECOND);

    private final LongFunction<String> names;
    private final LongSupplier clock;
    private final long minAgeNanos;
    private final TopRows<RunQueueSample> rows;
    private Map<Long, Known> known = new HashMap<>();
    private boolean started;

    /** A cgroup since it was first seen. Its labels outlive its directory, so that its counters never count twice. */
    private record Known(Labels labels, long since) {}

    /**
     * @param maxSeries cgroups that keep their name
     * @param minAge a cgroup younger than this is not shown by name; those that the first look finds are old
     * @param names the short name of a cgroup's id
     * @param clock monotonic time in ns
     */
    CgroupSeries(int maxSeries, Duration minAge, LongFunction<String> names, LongSupplier clock) {
        this.names = names;
        this.clock = clock;
        minAgeNanos = minAge.toNanos();
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
        Map<Labels, RunQueueSample> unnamed = new LinkedHashMap<>();
        Map<Long, Known> seen = new HashMap<>();
        long now = clock.getAsLong();
        for (Histograms.RunQueue runQueue : histograms.cgroups()) {
            String name = names.apply(runQueue.cgroup());
            Known cgroup = look(runQueue.cgroup(), name, now);
            seen.put(runQueue.cgroup(), cgroup);
            boolean show = !name.equals(CgroupNames.GONE) && now - cgroup.since() >= minAgeNanos;
            (show ? named : unnamed).merge(cgroup.labels(), RunQueueSample.of(runQueue), RunQueueSample::and);
        }
        known = seen;
        started = true;
        // One that ended and one that took its place are one row.
        unnamed.forEach((labels, row) -> named.computeIfPresent(labels, (same, other) -> other.and(row)));
        unnamed.keySet().removeAll(named.keySet());
        Map<Labels, RunQueueSample> shown = rows.rows(named, unnamed, RunQueueSample.NOTHING);
        return List.of(waits(shown), preemptions(shown), THROTTLES.snapshot(shown), THROTTLED.snapshot(shown));
    }

    private Known look(long id, String name, long now) {
        Known before = known.get(id);
        if (before != null) {
            return before;
        }
        // One that nobody can name must not share its row with others: they come and go.
        String label = name.equals(CgroupNames.GONE) ? name + "/" + id : name;
        return new Known(Labels.of("cgroup", label), started ? now : now - minAgeNanos);
    }

    private static MetricSnapshot waits(Map<Labels, RunQueueSample> shown) {
        HistogramSnapshot.Builder builder = HistogramSnapshot.builder()
                .name("aether_cgroup_run_queue_seconds")
                .help("Wait for a CPU once a task could run");
        shown.forEach((labels, sample) -> builder.dataPoint(HistogramDataPointSnapshot.builder()
                .labels(labels)
                .classicHistogramBuckets(ClassicHistogramBuckets.of(BOUNDS, sample.buckets()))
                .sum(sample.get(Counter.SUM_NANOS) / NANOS_PER_SECOND)
                .build()));
        return builder.build();
    }

    private static MetricSnapshot preemptions(Map<Labels, RunQueueSample> shown) {
        CounterSnapshot.Builder builder =
                CounterSnapshot.builder().name("aether_cgroup_preempted").help("Tasks that lost the CPU to another");
        shown.forEach((labels, sample) -> {
            builder.dataPoint(preempted(labels.add("by", "own"), sample.get(Counter.PREEMPTED_BY_OWN)));
            builder.dataPoint(preempted(labels.add("by", "other"), sample.get(Counter.PREEMPTED_BY_OTHERS)));
            builder.dataPoint(preempted(labels.add("by", "kernel"), sample.get(Counter.PREEMPTED_BY_KERNEL)));
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

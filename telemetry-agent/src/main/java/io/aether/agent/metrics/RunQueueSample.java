// SPDX-License-Identifier: Apache-2.0
package io.aether.agent.metrics;

import io.aether.agent.bpf.Histograms;
import java.util.Arrays;

/**
 * One cgroup's row: counters only, in one array so that rows add up element by element. Buckets come first, then the
 * other counters by name. Immutable.
 */
final class RunQueueSample {
    /** The counters behind the buckets, in their order. */
    enum Counter {
        SUM_NANOS(0),
        PREEMPTED_BY_OWN(1),
        PREEMPTED_BY_OTHERS(2),
        PREEMPTED_BY_KERNEL(3),
        THROTTLES(4),
        THROTTLED_NANOS(5);

        private final int place;

        Counter(int place) {
            this.place = place;
        }
    }

    static final int COUNTERS = Histograms.BUCKETS + Counter.values().length;

    /** No cgroup: nothing counted. */
    static final RunQueueSample NOTHING = new RunQueueSample(new long[COUNTERS]);

    private final long[] counters;

    private RunQueueSample(long[] counters) {
        this.counters = counters;
    }

    static RunQueueSample of(Histograms.RunQueue runQueue) {
        long[] counters = new long[COUNTERS];
        for (int i = 0; i < Histograms.BUCKETS; i++) {
            counters[i] = runQueue.counts().get(i);
        }
        Histograms.Preemptions preemptions = runQueue.preemptions();
        counters[index(Counter.SUM_NANOS)] = runQueue.sumNanos();
        counters[index(Counter.PREEMPTED_BY_OWN)] = preemptions.own();
        counters[index(Counter.PREEMPTED_BY_OTHERS)] = preemptions.others();
        counters[index(Counter.PREEMPTED_BY_KERNEL)] = preemptions.kernel();
        counters[index(Counter.THROTTLES)] = runQueue.throttles();
        counters[index(Counter.THROTTLED_NANOS)] = runQueue.throttledNanos();
        return new RunQueueSample(counters);
    }

    private static int index(Counter counter) {
        return Histograms.BUCKETS + counter.place;
    }

    RunQueueSample and(RunQueueSample other) {
        long[] sum = counters.clone();
        Arrays.setAll(sum, i -> sum[i] + other.counters[i]);
        return new RunQueueSample(sum);
    }

    RunQueueSample asOther(long[] totals) {
        return new RunQueueSample(totals);
    }

    /** All of them, to be added up; not to be changed. */
    long[] counters() {
        return counters;
    }

    /** Rank: all waits. */
    double count() {
        return Arrays.stream(counters, 0, Histograms.BUCKETS).sum() + get(Counter.THROTTLES);
    }

    long[] buckets() {
        return Arrays.copyOf(counters, Histograms.BUCKETS);
    }

    long get(Counter counter) {
        return counters[index(counter)];
    }
}

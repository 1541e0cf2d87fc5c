// SPDX-License-Identifier: Apache-2.0
package io.aether.agent.metrics;

import io.aether.agent.bpf.Histograms;
import java.util.Arrays;

/**
 * One cgroup's row: counters only, in one array so that rows add up element by element. Buckets come first, then the sum
 * in ns, then preemptions by tasks of the same cgroup and of others.
 * Immutable.
 */
final class RunQueueSample {
    private static final int SUM = Histograms.BUCKETS;
    private static final int OWN = SUM + 1;
    private static final int OTHERS = SUM + 2;

    static final int COUNTERS = SUM + 3;

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
        counters[SUM] = runQueue.sumNanos();
        counters[OWN] = runQueue.preemptedByOwn();
        counters[OTHERS] = runQueue.preemptedByOthers();
        return new RunQueueSample(counters);
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

    /** All waits. */
    double count() {
        return Arrays.stream(counters, 0, SUM).sum();
    }

    long[] buckets() {
        return Arrays.copyOf(counters, SUM);
    }

    long sumNanos() {
        return counters[SUM];
    }

    long preemptedByOwn() {
        return counters[OWN];
    }

    long preemptedByOthers() {
        return counters[OTHERS];
    }
}

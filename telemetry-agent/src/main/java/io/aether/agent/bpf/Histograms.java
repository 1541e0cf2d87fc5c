// SPDX-License-Identifier: Apache-2.0
package io.aether.agent.bpf;

import java.util.ArrayList;
import java.util.List;

/**
 * Run-queue waits of every watched cgroup, totals since the start.
 *
 * @param cgroups one entry for each cgroup that had a task waiting
 */
public record Histograms(List<RunQueue> cgroups) {
    /** Buckets of a histogram; the last one also holds everything longer. */
    public static final int BUCKETS = 24;

    private static final int FIELDS = 7;
    private static final int ROW = FIELDS + BUCKETS;

    public Histograms {
        cgroups = List.copyOf(cgroups);
    }

    /**
     * The waits of one cgroup's tasks for a CPU.
     *
     * @param cgroup its id, the inode number of its directory
     * @param sumNanos all waits in the buckets together, ns
     * @param preemptions how often a runnable task had to make way
     * @param throttles waits for quota, which are in no bucket
     * @param throttledNanos these together, ns
     * @param counts waits in bucket b lie below 2^b us and not in an earlier bucket
     */
    public record RunQueue(
            long cgroup,
            long sumNanos,
            Preemptions preemptions,
            long throttles,
            long throttledNanos,
            List<Long> counts) {
        public RunQueue {
            counts = List.copyOf(counts);
        }

        /** All waits that are not for quota. */
        public long count() {
            return counts.stream().mapToLong(Long::longValue).sum();
        }
    }

    /**
     * For whom runnable tasks lost their CPU.
     *
     * @param own for one of the same cgroup
     * @param others for one of another cgroup
     * @param kernel for a thread of the kernel
     */
    public record Preemptions(long own, long others, long kernel) {}

    /** Upper bound of a bucket, us. */
    public static long upperBoundMicros(int bucket) {
        return 1L << bucket;
    }

    static Histograms of(long[] rows) {
        List<RunQueue> cgroups = new ArrayList<>();
        for (int row = 0; row < rows.length; row += ROW) {
            List<Long> counts = new ArrayList<>(BUCKETS);
            for (int bucket = 0; bucket < BUCKETS; bucket++) {
                counts.add(rows[row + FIELDS + bucket]);
            }
            Preemptions preemptions = new Preemptions(rows[row + 2], rows[row + 3], rows[row + 4]);
            cgroups.add(new RunQueue(rows[row], rows[row + 1], preemptions, rows[row + 5], rows[row + 6], counts));
        }
        return new Histograms(cgroups);
    }
}

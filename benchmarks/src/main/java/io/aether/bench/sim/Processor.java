// SPDX-License-Identifier: Apache-2.0
package io.aether.bench.sim;

import java.util.ArrayDeque;

/**
 * The processors of one machine, shared by the threads of its servers and by others: first come, first served, in time
 * slices.
 */
final class Processor {
    /** The scheduler's base slice on a machine of few processors. */
    private static final long SLICE_NANOS = 3 * Agenda.MILLI;

    private final Agenda agenda;
    private final ArrayDeque<Job> queue = new ArrayDeque<>();
    private int free;

    private static final class Job {
        final Vitals owner;
        final Runnable done;
        long left;
        long queued;

        Job(Vitals owner, long left, Runnable done) {
            this.owner = owner;
            this.left = left;
            this.done = done;
        }
    }

    Processor(Agenda agenda, int processors) {
        this.agenda = agenda;
        this.free = processors;
    }

    /** Works {@code nanos} for a thread of {@code owner}, whose run-queue waits are counted. */
    void run(Vitals owner, long nanos, Runnable done) {
        enqueue(new Job(owner, nanos, done));
    }

    /** Keeps others busy: bursts of the given mean length that take {@code share} of one processor in all. */
    void noise(Chance chance, double share, long meanBurstNanos) {
        Vitals others = new Vitals(agenda);
        long gap = (long) chance.exponential(meanBurstNanos * (1 - share) / share);
        agenda.after(
                gap,
                () -> run(
                        others,
                        (long) chance.exponential((double) meanBurstNanos),
                        () -> noise(chance, share, meanBurstNanos)));
    }

    private void enqueue(Job job) {
        job.queued = agenda.nanos();
        queue.add(job);
        dispatch();
    }

    private void dispatch() {
        while (free > 0 && !queue.isEmpty()) {
            free--;
            Job job = queue.remove();
            job.owner.waitedForProcessor(agenda.nanos() - job.queued);
            long slice = Math.min(SLICE_NANOS, job.left);
            agenda.after(slice, () -> sliceOver(job, slice));
        }
    }

    private void sliceOver(Job job, long slice) {
        free++;
        job.left -= slice;
        if (job.left > 0) {
            enqueue(job);
        } else {
            job.done.run();
            dispatch();
        }
    }
}

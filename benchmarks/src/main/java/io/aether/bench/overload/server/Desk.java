// SPDX-License-Identifier: Apache-2.0
package io.aether.bench.overload.server;

import io.aether.bench.overload.Bout;
import io.aether.bench.overload.Target;
import io.aether.bench.overload.Wire;
import io.aether.core.limit.ServiceTime;
import io.aether.core.publish.QueuePublisher;
import java.util.ArrayDeque;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One queue and eight workers, real threads that wait for as long as a request takes and use no processor. Every change of the
 * queue is published. Thread-safe.
 */
final class Desk {
    /**
     * The kernel wakes a thread some 60 us late. A worker that has something to do already goes on from when it should have
     * woken; else the service would have less than the capacity that it is measured by.
     */
    private static final long LATE_NANOS = 2_000_000;

    private final QueuePublisher publisher;
    private final ArrayDeque<Job> waiting = new ArrayDeque<>();
    /** Which cost time; before everything else, or the refused would wait longest. */
    private final ArrayDeque<Job> refusals = new ArrayDeque<>();

    private ServiceTime serviceTime = new ServiceTime(0);
    private Draws draws = new Draws(0);
    private Door door = wait -> null;
    private boolean costly;
    private int running;

    private record Job(
            Caller caller,
            int id,
            long arrived,
            long nanos,
            @Nullable Runnable leave) {}

    Desk(QueuePublisher publisher) {
        this.publisher = publisher;
        for (int i = 0; i < Target.WORKERS; i++) {
            Thread worker = new Thread(this::work, "worker-" + i);
            worker.setDaemon(true);
            worker.start();
        }
    }

    /** Forgets all that waits, and begins anew. */
    synchronized void begin(Bout bout) {
        waiting.clear();
        refusals.clear();
        serviceTime = new ServiceTime(0);
        draws = new Draws(bout.seed());
        door = Door.of(bout.policy());
        costly = bout.costly();
        publish();
    }

    void arrive(Caller caller, int id) {
        if (refusedAtOnce(caller, id)) {
            caller.answer(id, false);
        }
    }

    private synchronized boolean refusedAtOnce(Caller caller, int id) {
        Runnable leave = door.arrive(waitNanos());
        if (leave == null && !costly) {
            return true;
        }
        long now = System.nanoTime();
        if (leave == null) {
            refusals.add(new Job(caller, id, now, Target.REFUSAL_NANOS, null));
        } else {
            waiting.add(new Job(caller, id, now, draws.next(), leave));
            publish();
        }
        notify();
        return false;
    }

    private double waitNanos() {
        return serviceTime.waitNanos(waiting.size(), Target.WORKERS);
    }

    /** Also to be called now and then: what is older than a second counts for nothing. */
    synchronized void publish() {
        publisher.publish(running, waiting.size(), Math.round(waitNanos() / 1000), 0);
    }

    private void work() {
        long planned = System.nanoTime();
        try {
            while (true) {
                Job job = take();
                long now = System.nanoTime();
                boolean late = now - planned < LATE_NANOS && planned - job.arrived() > 0;
                long begun = late ? planned : now;
                planned = begun + job.nanos();
                Wire.sleepUntil(planned);
                finish(job, begun);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private synchronized Job take() throws InterruptedException {
        while (waiting.isEmpty() && refusals.isEmpty()) {
            wait();
        }
        running++;
        Job job = refusals.isEmpty() ? waiting.remove() : refusals.remove();
        publish();
        return job;
    }

    private void finish(Job job, long begun) {
        boolean served = job.leave() != null;
        synchronized (this) {
            running--;
            if (served) {
                serviceTime.observe((double) (System.nanoTime() - begun));
                Objects.requireNonNull(job.leave()).run();
            }
            publish();
        }
        job.caller().answer(job.id(), served);
    }
}

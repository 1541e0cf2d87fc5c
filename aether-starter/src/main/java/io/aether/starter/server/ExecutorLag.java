// SPDX-License-Identifier: Apache-2.0
package io.aether.starter.server;

import io.aether.core.NanoClock;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;

/**
 * How long a request waits before an executor begins it: the time that a task takes which is handed over now. That is the
 * queue of an event loop, and of the threads that carry virtual ones, neither of which can be looked at. What waits for other
 * services or timers holds no such thread and does not count.
 *
 * <p>Asked on the way of requests, so an idle server is not woken, and at most every 2 ms while nothing waits. A wait counts
 * only if several requests were begun meanwhile, or if the task before waited too: a garbage collection, or one slow handler, is
 * no queue. Thread-safe; no lock.
 */
public final class ExecutorLag implements Runnable {
    private static final VarHandle ASKED = handle("asked", long.class);
    private static final VarHandle BEGUN = handle("begun", int.class);
    private static final long PAUSE_NANOS = 2_000_000;
    /** A wait that was found longer ago than this, or twice itself, says nothing of now. */
    private static final long FRESH_NANOS = 50_000_000;
    /** So many requests begun, one after the other, while a task waits are what it waits for. */
    private static final int QUEUE = 4;

    private final Executor executor;
    private final NanoClock clock;
    /** When the task that is under way was handed over; 0 when there is none. */
    private volatile long asked;
    /** Requests begun since. */
    private volatile int begun;

    private volatile long measuredAt;
    /** How long the last task waited, and how much of that counts. */
    private volatile long latest;

    private volatile long counted;

    /** For an executor that begins its tasks in their order. */
    public ExecutorLag(Executor executor, NanoClock clock) {
        this.executor = executor;
        this.clock = clock;
        this.measuredAt = clock.nanos() - PAUSE_NANOS;
    }

    private static VarHandle handle(String field, Class<?> type) {
        try {
            return MethodHandles.lookup().findVarHandle(ExecutorLag.class, field, type);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /** A request is begun: time to look again, if the last look is over. */
    public void ask(long now) {
        if (asked != 0) {
            BEGUN.getAndAdd(this, 1);
            return;
        }
        if (rests(now) || !ASKED.compareAndSet(this, 0L, now == 0 ? 1 : now)) {
            return;
        }
        begun = 0;
        try {
            executor.execute(this);
        } catch (RejectedExecutionException e) {
            asked = 0; // It is shutting down.
        }
    }

    private boolean rests(long now) {
        return latest < PAUSE_NANOS && now - measuredAt < PAUSE_NANOS;
    }

    @Override
    public void run() {
        long now = clock.nanos();
        long since = asked;
        long wait = Math.max(0, now - since);
        counted = counts(wait, since);
        latest = wait;
        measuredAt = now;
        asked = 0;
    }

    /** How much of the wait of the task that was handed over then is the queue. */
    private long counts(long wait, long since) {
        if (begun >= QUEUE) {
            return wait;
        }
        long before = latest;
        return since - measuredAt <= fresh(before) ? Math.min(wait, before) : 0;
    }

    /** The wait of a request that is begun now, and of one that comes now, in ns; 0 when nothing is known. */
    public double waitNanos(long now) {
        long since = asked;
        if (since != 0) {
            return counts(Math.max(0, now - since), since);
        }
        return now - measuredAt <= fresh(latest) ? counted : 0;
    }

    private static long fresh(long wait) {
        return Math.max(FRESH_NANOS, 2 * wait);
    }
}

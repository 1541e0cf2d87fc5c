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
 * <p>Asked on the way of requests, so an idle server is not woken, and at most every 2 ms while nothing waits. Only a wait that two tasks in a row found
 * counts: a garbage collection, or one slow handler, is no queue. Thread-safe; no lock.
 */
public final class ExecutorLag implements Runnable {
    private static final VarHandle ASKED = handle();
    private static final long PAUSE_NANOS = 2_000_000;
    /** A wait that was found longer ago than this, or twice itself, says nothing of now. */
    private static final long FRESH_NANOS = 50_000_000;

    private final Executor executor;
    private final NanoClock clock;
    /** When the task that is under way was handed over; 0 when there is none. */
    private volatile long asked;

    private volatile long measuredAt;
    private volatile long latest;
    private volatile long before;

    /** For an executor that begins its tasks in their order. */
    public ExecutorLag(Executor executor, NanoClock clock) {
        this.executor = executor;
        this.clock = clock;
        this.measuredAt = clock.nanos() - PAUSE_NANOS;
    }

    private static VarHandle handle() {
        try {
            return MethodHandles.lookup().findVarHandle(ExecutorLag.class, "asked", long.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /** A request came: time to look again, if the last look is over. */
    public void ask(long now) {
        if (asked != 0 || rests(now) || !ASKED.compareAndSet(this, 0L, now == 0 ? 1 : now)) {
            return;
        }
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
        before = since - measuredAt <= fresh(latest) ? latest : 0;
        latest = Math.max(0, now - since);
        measuredAt = now;
        asked = 0;
    }

    /** The wait of a request that comes now, in ns; 0 when nothing is known. */
    public double waitNanos(long now) {
        long since = asked;
        long last = latest;
        if (now - measuredAt > fresh(last) && since == 0) {
            return 0;
        }
        long found = Math.min(before, last);
        // One that has not come back yet has waited for so long at least.
        return since == 0 ? found : Math.max(found, Math.min(last, now - since));
    }

    private static long fresh(long wait) {
        return Math.max(FRESH_NANOS, 2 * wait);
    }
}

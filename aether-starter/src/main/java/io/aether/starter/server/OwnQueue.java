// SPDX-License-Identifier: Apache-2.0
package io.aether.starter.server;

import io.aether.core.NanoClock;
import io.aether.core.limit.Priority;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * How long a request that comes now would wait for this server itself: for a worker thread and a CPU, or for its event loop.
 * What it then waits for other services is none of it. Whatever is unknown counts as nothing. Thread-safe; no lock.
 */
public final class OwnQueue {
    private final ServerLoad load;
    private final CpuQueue cpu;
    private final NanoClock clock;
    private final ConcurrentMap<Executor, ExecutorLag> lags = new ConcurrentHashMap<>();
    private volatile Workers workers = Workers.UNKNOWN;
    private volatile @Nullable ExecutorLag onlyLag;
    /** The values of the map, for who wants to see them all without an object to go through them. */
    private volatile ExecutorLag[] allLags = {};

    /** Knows of no threads yet. */
    public OwnQueue(ServerLoad load, CpuQueue cpu, NanoClock clock) {
        this.load = load;
        this.cpu = cpu;
        this.clock = clock;
    }

    /** Requests are worked on by these threads. */
    public void workedBy(Workers pool) {
        workers = pool;
    }

    /** All requests are begun by this executor, in their order, and none holds one of its threads while it waits. */
    public void begunBy(Executor executor) {
        onlyLag = new ExecutorLag(executor, clock);
    }

    /** The lag of one of several executors, such as the event loop that a request arrived on. */
    public ExecutorLag lagOf(Executor executor) {
        ExecutorLag known = lags.get(executor);
        return known == null ? newLag(executor) : known;
    }

    private synchronized ExecutorLag newLag(Executor executor) {
        ExecutorLag lag = lags.computeIfAbsent(executor, one -> new ExecutorLag(one, clock));
        allLags = lags.values().toArray(new ExecutorLag[0]);
        return lag;
    }

    /**
     * The wait of a request that arrives now on the given event loop, or on none that is known, in ns.
     *
     * <p>Where requests are judged when a thread takes them, the queue is full of those that will be refused, and with clients that
     * try again at once it stays so: by its length alone nobody would ever be let in. So whenever the threads have begun
     * nothing for as long as they need for one request, the next has no wait; less important ones only after two,
     * three and four times that.
     */
    public double arrive(Priority priority, @Nullable ExecutorLag loop, long now) {
        double threadsAndCpu = isTurnOf(priority, now) ? cpu.waitNanos() : threadsAndCpu();
        ExecutorLag lag = loop == null ? onlyLag : loop;
        if (lag == null) {
            return threadsAndCpu;
        }
        lag.ask(now);
        return load.warm() ? Math.max(lag.waitNanos(now), threadsAndCpu) : threadsAndCpu;
    }

    private boolean isTurnOf(Priority priority, long now) {
        Workers pool = workers;
        if (!pool.judgedLate() || pool.waiting() == 0) {
            return false;
        }
        double each = load.workerTime().waitNanos(1, pool.most());
        return load.nothingBegunFor(each * turns(priority), now);
    }

    /** The wait of a request that comes now, wherever it comes, in ns. */
    public double waitNanos(long now) {
        return Math.max(lagNanos(now), threadsAndCpu());
    }

    private static int turns(Priority priority) {
        return switch (priority) {
            case CRITICAL -> 1;
            case DEGRADED -> 2;
            case BEST_EFFORT -> 3;
            case BULK -> 4;
        };
    }

    private double threadsAndCpu() {
        Workers pool = workers;
        return load.workerTime().waitNanos(pool.waiting(), pool.most()) + cpu.waitNanos();
    }

    /** Connections are spread over the loops evenly, so the mean is what a request has to expect. */
    private double lagNanos(long now) {
        if (!load.warm()) {
            return 0;
        }
        ExecutorLag only = onlyLag;
        if (only != null) {
            return only.waitNanos(now);
        }
        ExecutorLag[] all = allLags;
        double sum = 0;
        for (ExecutorLag lag : all) {
            sum += lag.waitNanos(now);
        }
        return sum == 0 ? 0 : sum / all.length;
    }

    /** Requests that wait for a thread, and those that wait for a CPU. Those that an event loop has not read are not seen. */
    public int waiting() {
        return workers.waiting() + (int) cpu.waiting();
    }
}

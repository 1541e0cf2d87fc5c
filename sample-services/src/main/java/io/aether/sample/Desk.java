// SPDX-License-Identifier: Apache-2.0
package io.aether.sample;

import io.aether.starter.server.ServerLoad;
import io.aether.starter.server.Workers;
import java.time.Duration;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.locks.LockSupport;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.ObjectProvider;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/**
 * A fixed number of workers, as where a database or a licence allows no more at a time; what comes beyond waits here. Aether is told
 * of the queue: an event loop's own queue would not show it. Thread-safe.
 */
final class Desk implements Workers, DisposableBean {

    private final ScheduledThreadPoolExecutor threads;
    private final Scheduler scheduler;
    private final ObjectProvider<ServerLoad> load;

    /**
     * @param load told how long each piece of work took; absent when Aether is off
     */
    Desk(int workers, ObjectProvider<ServerLoad> load) {
        this.threads = new ScheduledThreadPoolExecutor(workers);
        this.threads.setRemoveOnCancelPolicy(true); // Who went away no longer waits.
        this.scheduler = Schedulers.fromExecutorService(threads, "desk");
        this.load = load;
    }

    /** Completes when a worker was free and has been held for {@code time}; cancelled before that, nobody is held. */
    Mono<Void> work(Duration time) {
        return Mono.<Void>fromRunnable(() -> hold(time.toNanos())).subscribeOn(scheduler);
    }

    private void hold(long nanos) {
        long begun = System.nanoTime();
        long left = nanos;
        while (left > 0 && !Thread.currentThread().isInterrupted()) {
            LockSupport.parkNanos(left);
            left = begun + nanos - System.nanoTime();
        }
        load.ifAvailable(known -> known.held(System.nanoTime() - begun));
    }

    @Override
    public int waiting() {
        return threads.getQueue().size();
    }

    @Override
    public int most() {
        return threads.getCorePoolSize();
    }

    /** Requests are judged when they come, before they wait. */
    @Override
    public boolean judgedLate() {
        return false;
    }

    @Override
    public void destroy() {
        scheduler.dispose();
        threads.shutdownNow();
    }
}

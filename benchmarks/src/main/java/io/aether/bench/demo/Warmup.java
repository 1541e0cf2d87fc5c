// SPDX-License-Identifier: Apache-2.0
package io.aether.bench.demo;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;

/**
 * Makes checkouts in a closed loop until the processes are warm: enough of them for the compiler to have seen what a
 * request passes through in the least busy process too, and the last ones quick.
 */
public final class Warmup implements AutoCloseable {

    private static final int WORKERS = 3;
    private static final int LEAST = 450;
    private static final int QUICK_IN_A_ROW = 30;
    private static final Duration QUICK = Duration.ofMillis(400);
    private static final Duration LIMIT = Duration.ofSeconds(150);

    /** Told of every checkout: how many there were, and how long this one took. */
    public interface Listener {
        void made(int count, long millis);
    }

    private final BooleanSupplier checkout;
    private final long quickNanos;
    private final ExecutorService workers = Executors.newFixedThreadPool(WORKERS, task -> {
        Thread thread = new Thread(task, "warm-up");
        thread.setDaemon(true);
        return thread;
    });
    private final AtomicInteger made = new AtomicInteger();
    private final AtomicInteger quick = new AtomicInteger();

    /**
     * @param checkout makes one checkout and says whether it succeeded
     */
    public Warmup(BooleanSupplier checkout) {
        this(checkout, QUICK);
    }

    /**
     * @param quick what a warm one takes at most
     */
    public Warmup(BooleanSupplier checkout, Duration quick) {
        this.checkout = checkout;
        this.quickNanos = quick.toNanos();
    }

    public void run(Listener listener) throws IOException {
        for (int i = 0; i < WORKERS; i++) {
            workers.execute(() -> {
                while (!warm() && !Thread.currentThread().isInterrupted()) {
                    one(listener);
                }
            });
        }
        workers.shutdown();
        boolean done;
        try {
            done = workers.awaitTermination(LIMIT.toSeconds(), TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
        if (!done) {
            throw new IOException("checkouts stayed slower than %d ms for %d s; is the machine busy?"
                    .formatted(TimeUnit.NANOSECONDS.toMillis(quickNanos), LIMIT.toSeconds()));
        }
    }

    private void one(Listener listener) {
        long sent = System.nanoTime();
        boolean succeeded = checkout.getAsBoolean();
        long took = System.nanoTime() - sent;
        if (succeeded && took < quickNanos) {
            quick.incrementAndGet();
        } else {
            quick.set(0);
        }
        listener.made(made.incrementAndGet(), TimeUnit.NANOSECONDS.toMillis(took));
    }

    private boolean warm() {
        return made.get() >= LEAST && quick.get() >= QUICK_IN_A_ROW;
    }

    @Override
    public void close() {
        workers.shutdownNow();
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.aether.starter.server;

import io.aether.core.limit.ServiceTime;
import io.aether.core.score.AnswerTime;
import io.aether.core.score.LoadWord;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/** What a server has in hand: counts and times of its requests. Thread-safe; no lock. */
public final class ServerLoad {
    /** The first requests meet classes that are not loaded and code that is not compiled: their times say nothing. */
    static final int COLD = 32;

    private final AtomicInteger inFlight = new AtomicInteger();
    private final AtomicInteger downstream = new AtomicInteger();
    private final AtomicLong lastBegun = new AtomicLong();
    private final LongAdder answered = new LongAdder();
    private final LongAdder failed = new LongAdder();
    private volatile @Nullable LatencyByLoad latency;
    private volatile @Nullable AnswerTime answerTime;
    private final ServiceTime workerTime = new ServiceTime(0);
    private final ServiceTime calmTime = new ServiceTime(0);
    private final AtomicInteger warmUp = new AtomicInteger(COLD);
    private volatile boolean calm = true;

    /** Requests begun and not answered. */
    public int inFlight() {
        return inFlight.get();
    }

    /** Those of them that wait for other services, and for nothing else. */
    public int downstream() {
        return downstream.get();
    }

    /** Those that this server itself has to work on. */
    public int own() {
        return Math.max(0, inFlight.get() - downstream.get());
    }

    /** Requests answered since the start, without those that were refused. */
    public long answered() {
        return answered.sum();
    }

    /** Those of them whose answer said that this server failed. */
    public long failed() {
        return failed.sum();
    }

    /** An answer said that this server failed. */
    public void failure() {
        failed.increment();
    }

    /** How long requests take, by how many are in flight; null while nobody wants to know. */
    @Nullable
    LatencyByLoad latency() {
        return latency;
    }

    /** Begins to keep it. */
    LatencyByLoad keepLatency() {
        LatencyByLoad kept = new LatencyByLoad();
        latency = kept;
        return kept;
    }

    /** A worker thread was held for so long, without what it waited for other services meanwhile. */
    public void held(long ownNanos) {
        if (warm()) {
            workerTime.observe((double) ownNanos);
        }
    }

    /** Whether enough was answered for times to say something. */
    boolean warm() {
        return warmUp.get() <= 0;
    }

    /** How long a request holds a worker thread, without what it waits for other services meanwhile. */
    public ServiceTime workerTime() {
        return workerTime;
    }

    /** How long a request takes from its beginning to its answer while nothing queues, without waits for other services. */
    public ServiceTime calmTime() {
        return calmTime;
    }

    /** Whether nothing queues now, so that service times are nothing but that. */
    void calm(boolean now) {
        calm = now;
    }

    /** Returns how many others are in flight. */
    int begun(long now) {
        lastBegun.lazySet(now);
        return inFlight.getAndIncrement();
    }

    /** Whether no request was begun for so long; true for one only of those who ask at once. */
    boolean nothingBegunFor(double nanos, long now) {
        long last = lastBegun.get();
        return now - last >= nanos && lastBegun.compareAndSet(last, now);
    }

    void waits() {
        downstream.incrementAndGet();
    }

    void waitsNoMore() {
        downstream.decrementAndGet();
    }

    void gone() {
        inFlight.decrementAndGet();
    }

    /**
     * For an answer, as {@link LoadWord#HEADER}: what its client's next request would meet. The one that is answered is not
     * there then, and how long it took is known.
     */
    String word(long nanos, long now) {
        AnswerTime kept = answerTime;
        return LoadWord.write(inFlight() - 1, kept == null ? 0 : kept.with(nanos, now));
    }

    /** From now on times of answers are kept for {@link #word}. */
    void keepAnswerTime() {
        answerTime = new AnswerTime();
    }

    /**
     * A request was answered.
     *
     * @param nanos since it was begun
     * @param ownNanos of these, without waits for other services
     * @param now on the server's clock
     */
    void answered(long nanos, long ownNanos, long now) {
        answered.increment();
        AnswerTime kept = answerTime;
        if (kept != null) {
            kept.observe(nanos, now);
        }
        if (!warm()) {
            warmUp.decrementAndGet();
        } else if (calm) {
            calmTime.observe((double) ownNanos);
        }
    }
}

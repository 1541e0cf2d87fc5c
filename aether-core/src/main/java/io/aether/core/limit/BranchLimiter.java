// SPDX-License-Identifier: Apache-2.0
package io.aether.core.limit;

import io.aether.core.NanoClock;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.atomic.LongAdder;

/**
 * How much may be sent to one branch: a service and a group of its routes. Callers ask {@link #tryAcquire}, and report
 * each request that passed exactly once, as {@link #answered}, {@link #refused} or {@link #lost}. Someone calls
 * {@link #tick} once per window, after {@link #marks} for the branch's peers; {@link LimitLaw} judges there.
 *
 * <p>It fails open: without ticks, during the grace period and after {@link #forgive}, everything passes.
 *
 * <p>Thread-safe. Asking and reporting take no lock and allocate nothing; a judgement is done by one thread, others that
 * come meanwhile leave it to that one.
 */
public final class BranchLimiter {
    private static final VarHandle JUDGING = handle();
    private static final double BURST_SECONDS = 0.1;
    /**
     * Fewer starve a client of a few requests per second, whose requests come in clusters; more, and the clusters of a
     * hundred such clients are the overload.
     */
    private static final float LEAST_BURST = 3;
    /** A window that is longer by this was not one: the machine slept, or the clock leapt. */
    private static final int ABSURD_WINDOWS = 200;

    private final NanoClock clock;
    private final long graceEnd;
    private final long windowNanos;
    private final long staleNanos;

    private final BranchCounts counts = new BranchCounts();
    private final LongAdder passedStale = new LongAdder();

    private final TierBucket bucket = new TierBucket();

    /** The limit that holds, and the bucket's size with it. */
    private volatile double rate = LimitLaw.OPEN;

    private volatile float burst = LEAST_BURST;
    private volatile long judged;
    private volatile boolean forgiven;
    private volatile int told = -1;
    private volatile double fraction;
    private volatile double delivered;
    private volatile Rung rung = Rung.STATUS;
    private final LongAdder engagements = new LongAdder();
    private final LongAdder clockJumps = new LongAdder();

    @SuppressWarnings("unused") // By JUDGING.
    private volatile boolean judging;

    // Written and read only by who judges.
    private final LimitLaw law;
    private final Window window = new Window();

    /** An open limiter; its grace period begins now. */
    public BranchLimiter(LimitSettings settings, NanoClock clock) {
        this.clock = clock;
        this.law = new LimitLaw(settings.release().toNanos() / 1e9);
        this.windowNanos = settings.window().toNanos();
        this.staleNanos = settings.stale().toNanos();
        this.judged = clock.nanos();
        this.graceEnd = judged + settings.grace().toNanos();
    }

    /** {@link #tryAcquire(Priority, float)} for a request without a user. */
    public boolean tryAcquire(Priority priority) {
        return tryAcquire(priority, UserRank.NOBODY);
    }

    /**
     * Whether a request may be sent now. If so, its end must be reported.
     *
     * @param rank of the user, by {@link UserRank}; out of {@code [0, 1)} counts as nobody
     */
    public boolean tryAcquire(Priority priority, float rank) {
        double limit = rate;
        if (limit != LimitLaw.OPEN && !passes(priority, rank, limit)) {
            counts.heldBack.increment();
            return false;
        }
        counts.sent.increment();
        return true;
    }

    /** A request that was just held back is sent all the same, by who only watches; its end must be reported. It counts as both. */
    public void sentAnyway() {
        counts.sent.increment();
    }

    /** Whether anything is held back now. */
    public boolean limited() {
        return rate != LimitLaw.OPEN;
    }

    /** A call of a request that passed is sent; its end must be reported. Its token is taken even if it is not there. */
    public void follow() {
        double limit = rate;
        if (limit != LimitLaw.OPEN) {
            bucket.force(clock.nanos(), limit, burst);
        }
        counts.sent.increment();
    }

    private boolean passes(Priority priority, float rank, double limit) {
        long now = clock.nanos();
        if (now - judged > staleNanos) {
            passedStale.increment();
            return true;
        }
        return bucket.take(priority, rank, now, limit, burst);
    }

    /** Nanoseconds until such a request would pass if no other came; 0 for now. For Retry-After. */
    public long waitNanos(Priority priority, float rank) {
        double limit = rate;
        long now = clock.nanos();
        if (limit == LimitLaw.OPEN || now - judged > staleNanos) {
            return 0;
        }
        double missing = bucket.missing(priority, rank, now, limit, burst);
        return missing <= 0 ? 0 : (long) Math.ceil(missing / limit * 1e9);
    }

    /** Tokens that are there: what would pass at once if all were CRITICAL. {@link Integer#MAX_VALUE} while open. */
    public int available() {
        double limit = rate;
        return limit == LimitLaw.OPEN
                ? Integer.MAX_VALUE
                : (int) Math.max(0, bucket.level(clock.nanos(), limit, burst));
    }

    /** Empties the bucket: a brake beside the law. Without effect while open. */
    public void drain() {
        bucket.drain(clock.nanos());
    }

    /** A request was answered, with whatever but a refusal for overload. */
    public void answered() {
        counts.answers.increment();
    }

    /** As {@link #answered()}, and the answer told of the server's pressure: 0 to 255, where 255 is its hard limit; negative for none. */
    public void answered(int pressure) {
        answered();
        if (pressure >= 0) {
            counts.word(Pressure.mark(pressure));
        }
    }

    /** What the peers' kernels last reported, 0 to 255 where all would be marked; negative when nobody does. */
    public void told(int pressure) {
        told = pressure;
    }

    /** The server refused a request and said that it is overloaded. An open branch is judged at once. */
    public void refused() {
        counts.refusals.increment();
        if (rate == LimitLaw.OPEN) {
            long now = clock.nanos();
            if (now - graceEnd >= 0) {
                judge(now);
            }
        }
    }

    /** A request ended without an answer: cancelled, timed out, no connection. */
    public void lost() {
        counts.losses.increment();
    }

    /** Packets that came from the branch's peers since the last call. */
    public void marks(PeerMarks peer) {
        marks(peer.marked(), peer.clean());
    }

    /** Packets that came since the last call: with a mark, and ECN-capable ones without. */
    public void marks(long withMark, long withoutMark) {
        counts.marked.add(withMark);
        counts.clean.add(withoutMark);
    }

    /** Ends the window if it is over. To be called as often as the window is long, or oftener. */
    public void tick() {
        long now = clock.nanos();
        long age = now - judged;
        if (age < 0 || age >= windowNanos) {
            judge(now);
        }
    }

    /** Lifts the limit: who told of the marks is gone, and what is not known does not limit. */
    public void forgive() {
        forgiven = true;
        rate = LimitLaw.OPEN;
    }

    private void judge(long now) {
        if (!JUDGING.compareAndSet(this, false, true)) {
            return;
        }
        try {
            long age = now - judged;
            judged = now;
            window.seconds = age / 1e9;
            counts.since(window);
            window.pressed = Math.max(window.pressed, window.answers * Pressure.reported(told));
            if (age < 0 || age > ABSURD_WINDOWS * windowNanos) {
                clockJumps.increment();
            } else {
                apply(law.close(window, now - graceEnd >= 0), now);
            }
        } finally {
            JUDGING.setRelease(this, false);
        }
    }

    private void apply(double judgedRate, long now) {
        double next = judgedRate;
        if (forgiven) {
            forgiven = false;
            law.open();
            next = LimitLaw.OPEN;
        }
        fraction = law.fraction();
        rung = law.rung(told >= 0);
        delivered = law.delivered();
        if (next != LimitLaw.OPEN) {
            burst = (float) Math.max(LEAST_BURST, BURST_SECONDS * next);
            if (rate == LimitLaw.OPEN) {
                engagements.increment();
                bucket.begin(now);
            }
        }
        rate = next;
    }

    /** Requests that passed and whose end was not reported. */
    public long inFlight() {
        return counts.inFlight();
    }

    /** The limit in requests per second, {@link LimitLaw#OPEN} for none. */
    public double rate() {
        return rate;
    }

    /** The share of answers that were marked or refused lately, 0 to 1; retries and hedges wait while it is above 0.05. */
    public double fraction() {
        return fraction;
    }

    /** The best way in which overload is told to this branch now. */
    public Rung rung() {
        return rung;
    }

    /** Answers per second, smoothed. */
    public double delivered() {
        return delivered;
    }

    /** Requests that the server refused for overload. */
    public long refusedTotal() {
        return counts.refusals.sum();
    }

    /** Everything at about this moment. Allocates. */
    public LimiterSnapshot snapshot() {
        return new LimiterSnapshot(
                rate,
                delivered,
                fraction,
                inFlight(),
                counts.sent.sum(),
                counts.heldBack.sum(),
                counts.answers.sum(),
                counts.refusals.sum(),
                counts.losses.sum(),
                counts.marked.sum(),
                counts.clean.sum(),
                passedStale.sum(),
                engagements.sum(),
                clockJumps.sum());
    }

    private static VarHandle handle() {
        try {
            return MethodHandles.lookup().findVarHandle(BranchLimiter.class, "judging", boolean.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }
}

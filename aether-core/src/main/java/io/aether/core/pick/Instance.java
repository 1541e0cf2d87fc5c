// SPDX-License-Identifier: Apache-2.0
package io.aether.core.pick;

import io.aether.core.score.Heard;
import io.aether.core.score.Latency;
import io.aether.core.table.EndpointAddress;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * One instance and what this process has learned of it. Lives as long as the registry lists it. Thread-safe and
 * lock-free; no method allocates.
 *
 * <p>Every request that was sent calls {@link #start()}, then one of {@link #firstByte}, {@link #fail} and
 * {@link #refuse}, then {@link #end()} exactly once. (Fewer calls in the middle do no lasting harm: the number of
 * requests that wait for a first byte never exceeds the number in flight.)
 */
public final class Instance {
    private static final VarHandle IN_FLIGHT = handle("inFlight", int.class);
    private static final VarHandle WAITING = handle("waiting", int.class);
    private static final VarHandle ANSWERED = handle("answered", int.class);
    private static final VarHandle LATENCY = handle("latency", long.class);
    private static final VarHandle PICKS = handle("picks", long.class);
    private static final VarHandle FAILURES = handle("failures", long.class);

    private final InstanceKey key;
    private final Shared shared;
    private final Standing standing;

    /** In another zone than its callers, while some are in theirs. */
    volatile boolean far;

    private volatile @Nullable EndpointAddress address;
    /** Where the health table held it last; a hint, so races are harmless. */
    int slot = -1;

    private volatile int inFlight;
    private volatile int waiting;
    private volatile int answered;
    private volatile long latency;
    /** Its own word of its load, as {@link Heard} packs it. */
    volatile long heard;
    /** When the last request was sent, for ties. Not volatile: a stale one costs evenness for a moment, nothing else. */
    private long lastStart;

    /** When an answer came, or a first request to wait for one. */
    private volatile long lastProgress;

    private volatile long picks;
    private volatile long failures;

    Instance(InstanceKey key, Shared shared) {
        long now = shared.clock.nanos();
        this.key = key;
        this.shared = shared;
        this.standing = new Standing(shared, now);
        this.lastStart = now;
    }

    public InstanceKey key() {
        return key;
    }

    /** A request is about to be sent. Returns the time, for the calls that end the wait. */
    public long start() {
        long now = shared.clock.nanos();
        lastStart = now;
        PICKS.getAndAdd(this, 1L);
        IN_FLIGHT.getAndAdd(this, 1);
        if ((int) WAITING.getAndAdd(this, 1) == 0) {
            lastProgress = now;
        }
        return now;
    }

    /** The wait for the first byte of the answer is over. */
    public void firstByte(long startNanos, Outcome outcome) {
        if (outcome == Outcome.FAILURE) {
            fail(startNanos, 0);
            return;
        }
        long now = shared.clock.nanos();
        decrement(WAITING);
        if (outcome == Outcome.SUCCESS) {
            lastProgress = now;
            observe(now - startNanos, now);
            if (shared.near > 0) {
                shared.zones.answered(far, now - startNanos);
            }
            succeeded(now);
        } else if (outcome == Outcome.CANCELLED && now - startNanos > latencyNanos(now)) {
            observe(now - startNanos, now);
        }
        shared.answered(now);
    }

    /** The request is over, body included, however it ended. */
    public void end() {
        decrement(IN_FLIGHT);
        int most = inFlight;
        int present = waiting;
        if (present > most) {
            WAITING.compareAndSet(this, present, most);
        }
    }

    /**
     * The request failed: error status, timeout, broken connection.
     *
     * @param retryAfterNanos how long the server asked to be spared; 0 when it did not
     */
    public void fail(long startNanos, long retryAfterNanos) {
        failed(startNanos, Math.max(0, Math.min(retryAfterNanos, shared.maxRetryAfterNanos)), shared.ejectAfter);
    }

    /** Nobody listens there (refused, unreachable): ejects at once, for a short time at first. */
    public void refuse(long startNanos) {
        failed(startNanos, 0, 1);
    }

    private void failed(long startNanos, long retryAfterNanos, int ejectAfter) {
        long now = shared.clock.nanos();
        FAILURES.getAndAdd(this, 1L);
        decrement(WAITING);
        lastProgress = now;
        if (standing.out(now)) {
            return; // One of many that were in flight when it broke: known already.
        }
        double elapsed = Math.max(latencyNanos(now), (double) (now - startNanos));
        standing.failed(now, elapsed, retryAfterNanos, ejectAfter);
        if (standing.out(now)) {
            forgetLatency();
        }
        shared.answered(now);
    }

    private void succeeded(long now) {
        if (standing.succeeded(now)) {
            answered = 0;
        }
        int known = answered;
        if (known < shared.rampAnswers) {
            ANSWERED.compareAndSet(this, known, known + 1);
        }
    }

    private void observe(long sampleNanos, long now) {
        long present;
        long next;
        do {
            present = latency;
            next = Latency.observe(present, (double) sampleNanos, now, shared.tauNanos);
        } while (!LATENCY.compareAndSet(this, present, next));
    }

    private void decrement(VarHandle count) {
        int present;
        do {
            present = (int) count.getVolatile(this);
        } while (present > 0 && !count.compareAndSet(this, present, present - 1));
    }

    /**
     * It has told of its load in an answer.
     *
     * @param load as {@link io.aether.core.score.LoadWord} has it, VOID without
     * @param utilization see {@link io.aether.core.score.LoadReport}; 0 without
     */
    public void reported(long load, double utilization) {
        heard = Heard.of(load, utilization, shared.clock.nanos());
    }

    /** Requests sent and not over. */
    public int inFlight() {
        return inFlight;
    }

    /** Requests sent so far. */
    public long picks() {
        return picks;
    }

    /** Failures so far. */
    public long failures() {
        return failures;
    }

    /** Its address in the health table, null while unknown. */
    public @Nullable EndpointAddress address() {
        return address;
    }

    void address(EndpointAddress resolved) {
        slot = -1;
        address = resolved;
        standing.forget(shared.clock.nanos());
    }

    Sight sight() {
        return standing;
    }

    Standing standing() {
        return standing;
    }

    long lastStart() {
        return lastStart;
    }

    boolean unanswered() {
        return latency == 0;
    }

    /** The estimate, drawn towards {@code rest} while idle; {@code rest} itself before the first answer. */
    double latencyNanos(long now, double perForget, double rest) {
        return Latency.at(latency, now, perForget, rest);
    }

    private double latencyNanos(long now) {
        Norms norms = shared.norms;
        return latencyNanos(now, norms.perForget(), norms.medianNanos());
    }

    /** As {@link Latency#raw}, for the fleet's median; 0 without an answer. */
    double measuredNanos() {
        return Latency.raw(latency);
    }

    /** Time since the last answer in ns, 0 without one. */
    double latencyAgeNanos(long now) {
        long word = latency;
        return word == 0 ? 0 : Latency.ageNanos(word, now);
    }

    /**
     * How long it has made no progress with requests waiting for a first byte; 0 when none is. Stands in for the age of
     * the oldest request in flight, which would take a queue of start times per instance to know: it is never older than
     * that age, equals it for an instance that hangs (the case that matters), and is small for one that works through
     * many slow requests, whose estimate tells that already.
     */
    long standstillNanos(long now) {
        return waiting == 0 ? 0 : Math.max(0, now - lastProgress);
    }

    /** Ejected, or to be warmed up first, or let in again and the one request that decides is still on its way. */
    boolean ejected(long now) {
        return standing.ejected(now, inFlight);
    }

    /**
     * Whether requests that nobody waits for should be sent to it now. A process that has just started takes its time for the
     * first answers, and whether it listens at all should be found out by no user's request.
     */
    public boolean wantsWarmUp() {
        return standing.wantsWarmUp();
    }

    /**
     * It has been warmed up: requests may come.
     *
     * @param fromNanos when that was begun; what it answered before its last failure proves nothing
     */
    public void warmedUp(long fromNanos) {
        forgetLatency();
        standing.warmedUp(fromNanos);
    }

    /** Who comes back is another process, or mended: were it still thought slow, no request would come to show that it is not. */
    private void forgetLatency() {
        latency = 0;
    }

    /** New, and has the requests in flight that a new one may have. */
    boolean onProbation() {
        int known = standing.goneUntil() == 0 ? answered : 0;
        return known < shared.rampAnswers && inFlight > known;
    }

    private static VarHandle handle(String field, Class<?> type) {
        try {
            return MethodHandles.lookup().findVarHandle(Instance.class, field, type);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    @Override
    public String toString() {
        return key.service() + "/" + key.host() + ":" + key.port();
    }
}

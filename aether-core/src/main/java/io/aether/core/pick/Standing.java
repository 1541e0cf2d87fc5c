// SPDX-License-Identifier: Apache-2.0
package io.aether.core.pick;

import io.aether.core.score.Penalty;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * What an instance's failures have come to: a penalty that fades, an ejection, and, once that is over, the warm-up before
 * requests come again; and what the kernel said, in the same object: of ten thousand instances, headers and references are what
 * takes room, and a pick reads both. Thread-safe and lock-free; no method allocates.
 */
final class Standing extends Sight {
    private static final VarHandle STRIKES = handle("strikes", int.class);
    private static final VarHandle EJECTED_UNTIL = handle("ejectedUntil", long.class);

    private final Shared shared;

    private volatile int strikes;
    private volatile float penaltyNanos;
    private volatile long penaltyFrom;
    private volatile long ejectedUntil;
    /** When the request was sent whose answer shows that it is warm. */
    private volatile long warmedFrom;

    Standing(Shared shared, long now) {
        super(now);
        this.shared = shared;
        this.warmedFrom = now;
    }

    /** Whether it failed so often just now that it is out. */
    boolean out(long now) {
        return now < ejectedUntil;
    }

    /**
     * A request failed.
     *
     * @param elapsedNanos what it took, or what requests usually take if that is more
     * @param ejectAfter failures in a row that eject
     */
    void failed(long now, double elapsedNanos, long retryAfterNanos, int ejectAfter) {
        int inARow = (int) STRIKES.getAndAdd(this, 1) + 1;
        if (inARow < ejectAfter || !eject(now, inARow, retryAfterNanos)) {
            double nanos = Math.max(elapsedNanos, Math.max(shared.penaltyNanos, (double) retryAfterNanos));
            penaltyNanos = (float) Math.max(nanos, penaltyNanos(now));
            penaltyFrom = now + retryAfterNanos;
        }
    }

    private boolean eject(long now, int inARow, long retryAfterNanos) {
        long present = ejectedUntil;
        long time = Math.min(shared.maxEjectionNanos, shared.firstEjectionNanos << Math.min(20, inARow - 1));
        long until = now + Math.max(time, retryAfterNanos);
        if (present > now || !EJECTED_UNTIL.compareAndSet(this, present, until)) {
            return true; // By another thread.
        }
        // Counted after the mark, so that of two at once neither overlooks the other.
        if (shared.tooManyEjected(now)) {
            ejectedUntil = present;
            return false;
        }
        penaltyNanos = 0; // Ejection takes its place.
        return true;
    }

    /** A request was answered; true for the first answer of a process that has just started. */
    boolean succeeded(long now) {
        boolean returned = returned(now);
        if (returned) {
            forgive();
        }
        int present = strikes;
        if (present > 0) {
            // Halved rather than cleared: an instance that fails every second request does not get off.
            STRIKES.compareAndSet(this, present, present >> 1);
        } else if (ejectedUntil != 0 && now >= ejectedUntil) {
            ejectedUntil = 0;
        }
        return returned;
    }

    double penaltyNanos(long now) {
        float nanos = penaltyNanos;
        return nanos == 0 ? 0 : Penalty.left(nanos, now - penaltyFrom, strikes);
    }

    /** Out, or to be warmed up first, or let in again and the one request that decides is still on its way. */
    boolean ejected(long now, int inFlight) {
        long until = ejectedUntil();
        return until != 0 && (now < until || inFlight > 0 || cold(until, now));
    }

    /** Back, as far as is known, and not yet warm. Whoever does not get warm within the time for it is let in all the same. */
    private boolean cold(long until, long now) {
        return now - until < shared.warmUpNanos && warmedFrom - until < 0;
    }

    /** See {@link Instance#wantsWarmUp}. */
    boolean wantsWarmUp() {
        long until = ejectedUntil();
        long now = shared.clock.nanos();
        return until != 0 && now >= until && cold(until, now);
    }

    /** See {@link Instance#warmedUp}. */
    void warmedUp(long fromNanos) {
        warmedFrom = fromNanos;
    }

    /** It joins others that have answered already: they can spare it until it is warm. */
    void joins(long now) {
        if (shared.warmUpNanos > 0) {
            warmedFrom = now - 1;
            ejectedUntil = now;
        }
    }

    /** When the ejection ends, by what failed here or by what the kernel saw; 0 without one. */
    long ejectedUntil() {
        return Math.max(ejectedUntil, goneUntil());
    }

    /** Back at once, whatever has failed. */
    void letIn() {
        warmedFrom = shared.clock.nanos();
        ejectedUntil = 0;
        forgive();
    }

    private static VarHandle handle(String field, Class<?> type) {
        try {
            return MethodHandles.lookup().findVarHandle(Standing.class, field, type);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }
}

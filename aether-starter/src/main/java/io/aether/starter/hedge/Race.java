// SPDX-License-Identifier: Apache-2.0
package io.aether.starter.hedge;

import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * One call of at most two attempts. The first good answer counts and the other attempt is cancelled. An attempt that fails, or
 * whose answer says that the server failed, waits for the other if there is one; when both fail, it is the first's failure that the
 * caller gets, as if there had been no second.
 *
 * <p>Thread-safe: attempts report from any thread, each once at most; what cannot be used is discarded exactly once.
 *
 * @param <T> an answer, whose body has not been read
 */
abstract class Race<T> {

    static final int FIRST = 0;
    static final int SECOND = 1;
    private static final int OPEN = -1;
    private static final int NOBODY = 2;

    /** How an attempt ended that was not good; neither of both for one that ended with nothing. */
    record Outcome<T>(@Nullable T answer, @Nullable Throwable error) {}

    private final Hedge hedge;
    private final Predicate<T> failure;
    private final Consumer<T> discard;
    /** Attempts that may still bring something. */
    private final AtomicInteger open = new AtomicInteger(1);

    /** The attempt that counts, {@link #OPEN} while none does, {@link #NOBODY} when the caller has gone. */
    private final AtomicInteger winner = new AtomicInteger(OPEN);

    private final AtomicReferenceArray<@Nullable Outcome<T>> held = new AtomicReferenceArray<>(2);
    private volatile @Nullable Future<?> nextLook;

    /**
     * @param failure whether an answer says that the server failed
     * @param discard lets go of an answer that nobody will read
     */
    Race(Hedge hedge, Predicate<T> failure, Consumer<T> discard) {
        this.hedge = hedge;
        this.failure = failure;
        this.discard = discard;
    }

    /** Sends an attempt; it reports by {@link #answered} or {@link #failed}. */
    abstract void send(int side);

    /** Cancels an attempt that may be on its way, have ended, or never have been sent. */
    abstract void cancel(int side);

    /** Gives the caller what counts. Called once at most. */
    abstract void hand(int side, Outcome<T> outcome);

    final void begin() {
        hedge.begin();
        send(FIRST);
        plan();
    }

    final void answered(int side, T answer) {
        if (failure.test(answer)) {
            hold(side, new Outcome<>(answer, null));
        } else if (decide(side)) {
            tell(side);
            cancel(other(side));
            drop(other(side));
            hand(side, new Outcome<>(answer, null));
        } else {
            discard.accept(answer);
        }
    }

    final void failed(int side, @Nullable Throwable error) {
        hold(side, new Outcome<>(null, error));
    }

    /** The caller has gone. */
    final void abandon() {
        decide(NOBODY);
        for (int side = FIRST; side <= SECOND; side++) {
            cancel(side);
            drop(side);
        }
    }

    final boolean isOver() {
        return winner.get() != OPEN;
    }

    /** Whether an attempt that is only being sent has come too late. */
    final boolean hasLost(int side) {
        int present = winner.get();
        return present != OPEN && present != side;
    }

    private void tell(int winner) {
        if (winner == FIRST) {
            hedge.firstAnswered();
        } else if (held.get(FIRST) == null) {
            hedge.overtaken();
        } else {
            hedge.rescued();
        }
    }

    private void hold(int side, Outcome<T> outcome) {
        held.set(side, outcome);
        boolean last = open.decrementAndGet() == 0;
        int told = held.get(FIRST) != null ? FIRST : SECOND;
        if (last && decide(told)) {
            Outcome<T> counts = held.getAndSet(told, null);
            drop(other(told));
            if (counts != null) {
                hand(told, counts);
            }
        } else if (hasLost(side)) {
            drop(side);
        }
    }

    private void drop(int side) {
        Outcome<T> outcome = held.getAndSet(side, null);
        if (outcome != null) {
            letGo(outcome);
        }
    }

    /** Nobody will read it. */
    final void letGo(Outcome<T> outcome) {
        if (outcome.answer() != null) {
            discard.accept(outcome.answer());
        }
    }

    private boolean decide(int side) {
        boolean now = winner.compareAndSet(OPEN, side);
        Future<?> look = nextLook;
        if (now && look != null) {
            look.cancel(false);
        }
        return now;
    }

    private void plan() {
        if (isOver()) {
            return;
        }
        Future<?> planned = hedge.plan(this::look);
        nextLook = planned;
        if (planned != null && isOver()) {
            planned.cancel(false);
        }
    }

    private void look() {
        if (isOver()) {
            return;
        }
        Hedge.Verdict verdict = hedge.look();
        if (verdict == Hedge.Verdict.WAIT) {
            plan();
        } else if (verdict == Hedge.Verdict.SEND && join()) {
            try {
                send(SECOND);
            } catch (RuntimeException e) {
                failed(SECOND, e); // Or the first's failure would wait for it.
            }
        }
    }

    /** Whether a second attempt may join: not when all is over. */
    private boolean join() {
        int present;
        do {
            present = open.get();
            if (present == 0) {
                return false;
            }
        } while (!open.compareAndSet(present, present + 1));
        return !isOver();
    }

    private static int other(int side) {
        return side == FIRST ? SECOND : FIRST;
    }
}

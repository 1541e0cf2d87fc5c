// SPDX-License-Identifier: Apache-2.0
package io.aether.core.hedge;

import io.aether.core.NanoClock;
import io.aether.core.limit.LimitLaw;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * Says of one route's requests when a second attempt may be sent beside the first: once it has waited for longer than 95 of a
 * hundred answers take, or at once when the kernel says that its instance is stalled; never above the budget, and none while the
 * branch is marked. (After "The Tail at Scale", Dean and Barroso 2013; the kernel's word is ours.)
 *
 * <p>A call is {@link #sent}; while it waits, {@link #due} at every {@link #lookInNanos}; then one of {@link #answered} and
 * {@link #overtaken}, or none of them for one that failed or was cancelled by its caller. Thread-safe, lock-free, allocates
 * nothing.
 */
public final class Hedger {
    /** How often a waiting call is looked at for a stall: half of the age from which the kernel calls it one. */
    static final long LOOK_NANOS = 5_000_000;
    /** One that has waited for long is looked at each time it has waited for another eighth, so a long wait has few looks. */
    private static final int LOOK_SHARE = 8;

    private final NanoClock clock;
    private final long leastDelayNanos;
    private final HedgeBudget budget;
    private final RouteLatency latency;
    private final LongAdder calls = new LongAdder();
    private final LongAdder slow = new LongAdder();
    private final LongAdder stalled = new LongAdder();
    private final LongAdder won = new LongAdder();
    private final LongAdder overBudget = new LongAdder();
    private final LongAdder marked = new LongAdder();
    private final LongAdder nobody = new LongAdder();

    /** A hedger that has seen no answers: it grants nothing by the clock yet. */
    public Hedger(HedgeSettings settings, NanoClock clock) {
        this.clock = clock;
        this.leastDelayNanos = settings.leastDelay().toNanos();
        this.budget = new HedgeBudget(settings.share());
        this.latency = new RouteLatency(clock.nanos());
    }

    /** A first attempt is about to be sent. Returns the time, for the calls that follow. */
    public long sent() {
        calls.increment();
        budget.sent();
        return clock.nanos();
    }

    /** How long a first attempt may take until the clock sends a second, in ns; {@link Long#MAX_VALUE} while not known. */
    public long delayNanos() {
        long p95 = latency.p95Nanos();
        return p95 == RouteLatency.UNKNOWN ? Long.MAX_VALUE : Math.max(leastDelayNanos, p95);
    }

    /** Time until a call that waits should be looked at next, in ns. */
    public long lookInNanos(long sentNanos) {
        long waited = Math.max(0, clock.nanos() - sentNanos);
        long left = delayNanos() - waited;
        long look = Math.max(LOOK_NANOS, waited / LOOK_SHARE);
        return left > 0 ? Math.min(left, look) : look;
    }

    /**
     * Whether a call that waits needs a second attempt.
     *
     * @param stall whether the kernel says that its instance is stalled
     */
    public @Nullable HedgeCause due(long sentNanos, boolean stall) {
        if (stall) {
            return HedgeCause.STALLED;
        }
        return clock.nanos() - sentNanos >= delayNanos() ? HedgeCause.SLOW : null;
    }

    /**
     * Takes a second attempt from the budget. Counts it if so, and why not otherwise.
     *
     * @param fraction the branch's share of answers marked lately, 0 to 1
     * @param again whether the same call was denied before: counted once
     */
    public boolean take(HedgeCause cause, double fraction, boolean again) {
        if (!(fraction <= LimitLaw.CONGESTED)) {
            count(marked, again);
            return false;
        }
        if (!budget.take(cause == HedgeCause.SLOW ? HedgeBudget.RESERVE : 0)) {
            count(overBudget, again);
            return false;
        }
        (cause == HedgeCause.SLOW ? slow : stalled).increment();
        return true;
    }

    /** A second attempt is not made: there is no instance that is better off. */
    public void nobody(boolean again) {
        count(nobody, again);
    }

    private static void count(LongAdder denials, boolean again) {
        if (!again) {
            denials.increment();
        }
    }

    /** The first attempt was answered well. */
    public void answered(long sentNanos) {
        long now = clock.nanos();
        latency.observe(now - sentNanos, now);
    }

    /**
     * The second attempt was answered first. What the first would have taken nobody knows; that it belongs to the slowest is
     * what counts: without it the percentile would sink with every hedge, and hedges beget hedges.
     */
    public void overtaken(long sentNanos) {
        won.increment();
        long now = clock.nanos();
        latency.observeAtLeast(now - sentNanos, now);
    }

    /** The second attempt was answered well after the first had failed: that tells nothing of how long answers take. */
    public void rescued() {
        won.increment();
    }

    /** What it has counted. */
    public HedgerSnapshot snapshot() {
        return new HedgerSnapshot(
                delayNanos(),
                calls.sum(),
                slow.sum(),
                stalled.sum(),
                won.sum(),
                overBudget.sum(),
                marked.sum(),
                nobody.sum());
    }
}

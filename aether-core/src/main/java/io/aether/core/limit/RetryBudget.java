// SPDX-License-Identifier: Apache-2.0
package io.aether.core.limit;

import io.aether.core.NanoClock;
import java.util.concurrent.atomic.LongAdder;

/**
 * How many of a branch's requests may be retries: a tenth of the others, in the long run, and none while the branch is
 * marked. Without it three retries on each of three hops are 64 requests for one, at the moment when there is least room for
 * them (Google's SRE book, "Handling Overload", has the ratio).
 *
 * <p>It starts full, so that a young application may retry too, and who sends less than one request a second is taken for
 * who sends one. Hedges are retries that did not wait; they draw on the same budget.
 *
 * <p>Thread-safe, lock-free, allocates nothing.
 */
public final class RetryBudget {
    /** Retries for each request. */
    static final float SHARE = 0.1f;
    /** Retries that can be saved: those of a hundred requests. */
    static final float MOST = 10;

    private final NanoClock clock;
    private final TokenBucket bucket = new TokenBucket();
    private final LongAdder spent = new LongAdder();
    private final LongAdder denied = new LongAdder();

    /** A full budget. */
    public RetryBudget(NanoClock clock) {
        this.clock = clock;
        bucket.fill(MOST, clock.nanos());
    }

    /** A request is sent for the first time. */
    public void sent() {
        bucket.add(clock.nanos(), SHARE, SHARE, MOST);
    }

    /**
     * Whether a retry would be granted now. For frameworks that ask whether to retry more than once, or without retrying
     * then.
     *
     * @param fraction the branch's {@link BranchLimiter#fraction()}
     */
    public boolean grants(double fraction) {
        return fraction <= LimitLaw.CONGESTED && bucket.level(clock.nanos(), SHARE, MOST) >= 1;
    }

    /** Takes a retry that {@link #grants} granted. Several that were granted at once may leave a debt. */
    public void spend() {
        spent.increment();
        bucket.force(clock.nanos(), SHARE, MOST);
    }

    /** A retry was not made because it was not granted. */
    public void deny() {
        denied.increment();
    }

    /** Retries made. */
    public long spentTotal() {
        return spent.sum();
    }

    /** Retries that were not made. */
    public long deniedTotal() {
        return denied.sum();
    }
}

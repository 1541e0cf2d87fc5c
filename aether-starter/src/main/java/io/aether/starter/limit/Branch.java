// SPDX-License-Identifier: Apache-2.0
package io.aether.starter.limit;

import io.aether.core.limit.BranchLimiter;
import io.aether.core.limit.Priority;
import io.aether.core.limit.RetryBudget;
import io.aether.starter.context.RequestContext;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.LongAdder;

/** A service and a group of its routes: its limiter, its budget for retries, and what was held back. Thread-safe. */
public final class Branch {
    private final String service;
    private final String group;
    private final AetherRateLimiter limiter;
    private final RetryBudget retries;
    /** Filled when made, only read since. */
    private final Map<Priority, LongAdder> heldBack = new EnumMap<>(Priority.class);

    private final LongAdder expired = new LongAdder();

    Branch(String service, String group, AetherRateLimiter limiter, RetryBudget retries) {
        this.service = service;
        this.group = group;
        this.limiter = limiter;
        this.retries = retries;
        for (Priority priority : Priority.values()) {
            heldBack.put(priority, new LongAdder());
        }
    }

    /** Id of the service. */
    public String service() {
        return service;
    }

    /** Name of the group of routes. */
    public String group() {
        return group;
    }

    /** The law's side of the limiter. */
    public BranchLimiter limiter() {
        return limiter.limiter();
    }

    /** What its retries are taken from. */
    public RetryBudget retries() {
        return retries;
    }

    /** Requests of a priority that were held back since the start; in mode observe, that would have been. */
    public long heldBack(Priority priority) {
        return Objects.requireNonNull(heldBack.get(priority)).sum();
    }

    /** Calls whose deadline had passed before they were sent. */
    public long expired() {
        return expired.sum();
    }

    /** Whether retries are granted now. */
    boolean grantsRetry() {
        return retries.grants(limiter().fraction());
    }

    /** Whether the request passes; if so, its end must be reported to {@link #limiter()}. */
    boolean passes(RequestContext context) {
        if (context.work().follows(this)) {
            limiter().follow();
            return true;
        }
        boolean passed = limiter.passes(context.priority(), context.userRank());
        if (!passed) {
            Objects.requireNonNull(heldBack.get(context.priority())).increment();
        } else if (limiter().limited()) {
            context.work().passed(this);
        }
        return passed;
    }

    BranchLimitedException refusal(RequestContext context) {
        return limiter.refusal(context.priority(), context.userRank());
    }

    DeadlinePassedException late() {
        return new DeadlinePassedException(limiter.getName());
    }

    void countExpired() {
        expired.increment();
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.aether.starter.context;

import io.aether.core.limit.Admission;
import io.aether.core.limit.Priority;
import io.aether.core.limit.UserRank;

/** What is known of the request that a thread or reactive chain works for. Immutable. */
public final class RequestContext {
    /** In place of a deadline. */
    public static final long NO_DEADLINE = Admission.NO_DEADLINE;

    /**
     * Of threads that work for no request, and of requests of which nothing is known. They count as CRITICAL, the tier
     * under which the law runs as it was measured: less is something that somebody says of a request, never a guess.
     */
    public static final RequestContext NONE =
            new RequestContext(Priority.CRITICAL, NO_DEADLINE, UserRank.NOBODY, ServerWork.NONE);

    private final Priority priority;
    private final long deadlineNanos;
    private final float userRank;
    private final ServerWork work;

    /**
     * @param deadlineNanos when nobody waits for the answer any more, on the clock of {@link System#nanoTime()}; or
     *     {@link #NO_DEADLINE}
     * @param userRank see {@link UserRank}; 0 without a user
     * @param work the request as the server sees it, or {@link ServerWork#NONE}
     */
    public RequestContext(Priority priority, long deadlineNanos, float userRank, ServerWork work) {
        this.priority = priority;
        this.deadlineNanos = deadlineNanos;
        this.userRank = userRank;
        this.work = work;
    }

    public Priority priority() {
        return priority;
    }

    /** On the clock of {@link System#nanoTime()}, or {@link #NO_DEADLINE}. */
    public long deadlineNanos() {
        return deadlineNanos;
    }

    public boolean hasDeadline() {
        return deadlineNanos != NO_DEADLINE;
    }

    /** What is left until the deadline in ns, negative when it passed; {@link Long#MAX_VALUE} without one. */
    public long remainingNanos(long now) {
        return hasDeadline() ? deadlineNanos - now : Long.MAX_VALUE;
    }

    /** In {@code [0, 1)}, see {@link UserRank}. */
    public float userRank() {
        return userRank;
    }

    public ServerWork work() {
        return work;
    }

    /** The same with another priority; itself if that is the one it has. */
    public RequestContext withPriority(Priority other) {
        return other == priority ? this : new RequestContext(other, deadlineNanos, userRank, work);
    }

    /** The same with the earlier of both deadlines; itself if that is the one it has. */
    public RequestContext withDeadline(long otherNanos) {
        if (otherNanos == NO_DEADLINE || (hasDeadline() && deadlineNanos - otherNanos <= 0)) {
            return this;
        }
        return new RequestContext(priority, otherNanos, userRank, work);
    }

    /** The same for a user of this rank. */
    public RequestContext withUserRank(float other) {
        return new RequestContext(priority, deadlineNanos, other, work);
    }

    @Override
    public String toString() {
        return priority + (hasDeadline() ? " until " + deadlineNanos : "") + " rank " + userRank;
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.aether.core.limit;

/**
 * What a server does with a request that comes: beyond the hard limit of its queue it refuses, the least important
 * first, and what is too late anyway it does not begin. Quick refusals are the last line; marks come long before.
 *
 * <p>Pure and thread-safe.
 */
public final class Admission {
    /** For requests without a deadline. */
    public static final long NO_DEADLINE = Long.MIN_VALUE;

    /** What becomes of a request. */
    public enum Verdict {
        ADMIT,
        /** Overloaded: 503 with Retry-After. */
        REFUSE,
        /** Nobody waits for the answer any more. */
        EXPIRED
    }

    /** Within a tier, users are told apart over so much of the hard limit: a third of the distance to the next tier. */
    static final double USERS = 0.05;

    /**
     * Hard limits that the most important may wait for where their own deadlines leave the time: beyond, a queue of them
     * alone would break the objective of all that have none.
     */
    static final double LONGEST = 2;

    private final double hardLimitNanos;

    /** Refuses beyond {@code hardLimitNanos} of estimated wait. */
    public Admission(double hardLimitNanos) {
        if (!(hardLimitNanos > 0)) {
            throw new IllegalArgumentException("the hard limit must be positive, is " + hardLimitNanos);
        }
        this.hardLimitNanos = hardLimitNanos;
    }

    /** The hard limit for an objective: the share of it where all packets are marked already. */
    public static Admission of(double objectiveNanos) {
        return new Admission(Marker.OBJECTIVE_SHARE * objectiveNanos);
    }

    /**
     * Judges a request that arrives.
     *
     * @param waitNanos its estimated wait, see {@link ServiceTime#waitNanos}; not a number counts as none
     * @param deadlineNanos on the clock of {@code now}, or {@link #NO_DEADLINE}
     */
    public Verdict arrive(Priority priority, double waitNanos, long deadlineNanos, long now) {
        return arrive(priority, UserRank.NOBODY, waitNanos, deadlineNanos, now);
    }

    /**
     * Judges a request of a user: of a tier, those of a high rank are refused a little earlier, the same ones by every
     * service. A deadline later than the service's objective is the objective of a CRITICAL request, up to {@value #LONGEST}
     * hard limits: work that comes in bursts meets a full queue now and then, and whoever can wait need not be refused.
     *
     * @param rank see {@link UserRank}
     */
    public Verdict arrive(Priority priority, float rank, double waitNanos, long deadlineNanos, long now) {
        if (deadlineNanos != NO_DEADLINE) {
            long left = deadlineNanos - now;
            if (left <= 0) {
                return Verdict.EXPIRED;
            }
            if (waitNanos > left) {
                return Verdict.REFUSE; // It would expire in the queue.
            }
        }
        double limit = hardLimitNanos * (priority.patience() - USERS * rank);
        if (priority == Priority.CRITICAL && deadlineNanos != NO_DEADLINE) {
            double share = Marker.OBJECTIVE_SHARE * (deadlineNanos - now);
            limit = Math.max(limit, Math.min(share, LONGEST * hardLimitNanos));
        }
        return waitNanos > limit ? Verdict.REFUSE : Verdict.ADMIT;
    }

    /** The wait beyond which even the most important request without a deadline is refused, in ns. */
    public double hardLimitNanos() {
        return hardLimitNanos;
    }

    /** For Retry-After: until the queue would be down to half the limit, in ns; at least 1 ms. */
    public long retryAfterNanos(double waitNanos) {
        double excess = waitNanos - hardLimitNanos / 2;
        return excess > 1e6 ? (long) Math.min(excess, 60e9) : 1_000_000;
    }
}

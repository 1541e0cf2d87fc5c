// SPDX-License-Identifier: Apache-2.0
package io.aether.starter.server;

import io.aether.core.limit.Admission;
import io.aether.core.limit.Marker;
import io.aether.core.limit.Priority;
import io.aether.core.pick.Mode;
import io.aether.starter.context.RequestContext;
import io.aether.starter.context.ServerWork;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Lets requests in or not, and says how much pressure there is. In mode {@link Mode#OBSERVE} it judges and counts, and
 * lets all in. Thread-safe; a judgement takes no lock and allocates nothing.
 */
public final class ServerGate {
    /** Without an objective of the operator: ten times what a request takes when nothing queues, as in the literature, ... */
    private static final double TIMES_SERVICE = 10;
    /** ... but nobody means less than a second who does not say so, and nobody likes to wait longer than ten. */
    private static final double LEAST_GUESS_NANOS = 1e9;

    private static final double MOST_GUESS_NANOS = 10e9;

    private final ServerLoad load;
    private final @Nullable Admission set;
    private final Refusals refusals = new Refusals();
    private volatile Mode mode;
    private volatile Admission admission;

    /** @param objectiveNanos the latency that is promised; 0 to guess it from the service time */
    public ServerGate(ServerLoad load, Mode mode, double objectiveNanos) {
        this.load = load;
        this.mode = mode;
        this.set = objectiveNanos > 0 ? Admission.of(objectiveNanos) : null;
        this.admission = set == null ? Admission.of(LEAST_GUESS_NANOS) : set;
    }

    public Mode mode() {
        return mode;
    }

    /** From now on; requests in flight end as they began. */
    public void mode(Mode now) {
        mode = now;
    }

    /** Guesses the objective anew, from time to time. */
    void tick() {
        if (set != null) {
            return;
        }
        double guess =
                Math.max(LEAST_GUESS_NANOS, TIMES_SERVICE * load.calmTime().nanos());
        double limit = Marker.OBJECTIVE_SHARE * Math.min(guess, MOST_GUESS_NANOS);
        if (Math.abs(limit - admission.hardLimitNanos()) > 0.05 * limit) {
            admission = new Admission(limit);
        }
    }

    /**
     * Judges a request; {@link Verdict#ADMIT} for one that would not be let in but for the mode, which is counted.
     *
     * @param waitNanos see {@link OwnQueue#arrive}
     */
    public Verdict judge(RequestContext context, double waitNanos, long now) {
        Mode current = mode;
        if (current == Mode.OFF) {
            return Verdict.ADMIT;
        }
        Verdict verdict = verdict(context, waitNanos, now);
        if (verdict == Verdict.ADMIT) {
            return verdict;
        }
        refusals.count(current, verdict, context.priority());
        return current == Mode.ON ? verdict : Verdict.ADMIT;
    }

    /** Whether a request would be let in whatever the mode; nothing is counted. */
    boolean wouldAdmit(RequestContext context, double waitNanos, long now) {
        return verdict(context, waitNanos, now) == Verdict.ADMIT;
    }

    private Verdict verdict(RequestContext context, double waitNanos, long now) {
        return switch (admission.arrive(
                context.priority(), context.userRank(), waitNanos, context.deadlineNanos(), now)) {
            case ADMIT -> Verdict.ADMIT;
            case EXPIRED -> Verdict.EXPIRED;
            case REFUSE -> waitNanos > context.remainingNanos(now) ? Verdict.DEADLINE : Verdict.OVERLOAD;
        };
    }

    /** Requests refused so far; in mode {@link Mode#OBSERVE}, those that would have been. */
    public long refusals(Mode in, Verdict verdict, Priority priority) {
        return refusals.get(in, verdict, priority);
    }

    /** For Retry-After: whole seconds, at least one, for clients take 0 as "at once". */
    public long retryAfterSeconds(double waitNanos) {
        long second = TimeUnit.SECONDS.toNanos(1);
        return Math.max(1, (admission.retryAfterNanos(waitNanos) + second - 1) / second);
    }

    /** Of the hard limit, how much is waited, 0 to 255. */
    public int pressure(double waitNanos) {
        return pressure(waitNanos, Priority.CRITICAL);
    }

    /** Of the wait at which requests of this priority are refused, how much is waited: the least important feel it first. */
    public int pressure(double waitNanos, Priority of) {
        double share = ServerWork.MOST_PRESSURE * waitNanos / (admission.hardLimitNanos() * of.patience());
        return (int) Math.max(0, Math.min(share, ServerWork.MOST_PRESSURE));
    }

    /** The wait beyond which even the most important request is refused, in ns. */
    public double hardLimitNanos() {
        return admission.hardLimitNanos();
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.aether.starter.hedge;

import io.aether.core.hedge.HedgeCause;
import io.aether.core.hedge.Hedger;
import io.aether.core.pick.Instance;
import io.aether.core.pick.Mode;
import io.aether.starter.balancer.ServiceFleet;
import io.aether.starter.limit.Passage;
import java.util.concurrent.Future;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** One call that may be hedged, while its first attempt is on its way. Looked at by one thread at a time. */
public final class Hedge {

    /** What a look at a waiting call comes to. */
    enum Verdict {
        /** Look again later. */
        WAIT,
        /** Send the second attempt now. */
        SEND,
        /** One would be sent now, if it were not only counted; no further look. */
        OBSERVED
    }

    private final Hedger hedger;
    private final ServiceFleet fleet;
    private final Passage passage;
    private final Supplier<@Nullable Instance> first;
    private final Mode mode;
    private final HedgeTimer timer;
    private volatile long sentNanos;
    private boolean denied;

    Hedge(
            Hedger hedger,
            ServiceFleet fleet,
            Passage passage,
            Supplier<@Nullable Instance> first,
            Mode mode,
            HedgeTimer timer) {
        this.hedger = hedger;
        this.fleet = fleet;
        this.passage = passage;
        this.first = first;
        this.mode = mode;
        this.timer = timer;
    }

    /** The first attempt is about to be sent. */
    void begin() {
        sentNanos = hedger.sent();
    }

    @Nullable
    Future<?> plan(Runnable look) {
        return timer.after(hedger.lookInNanos(sentNanos), look);
    }

    Verdict look() {
        Instance instance = first.get();
        if (instance == null) {
            return Verdict.WAIT; // Not chosen yet, or nobody that Aether knows.
        }
        HedgeCause cause = hedger.due(sentNanos, fleet.stalled(instance));
        if (cause == null) {
            return Verdict.WAIT;
        }
        if (!fleet.hasOther(instance)) {
            hedger.nobody(denied);
            denied = true;
            return Verdict.WAIT;
        }
        if (!hedger.take(cause, passage.hedgeFraction(), denied)) {
            denied = true;
            return Verdict.WAIT;
        }
        return mode == Mode.ON ? Verdict.SEND : Verdict.OBSERVED;
    }

    /** The first attempt was answered well, before the second if there was one. */
    void firstAnswered() {
        hedger.answered(sentNanos);
    }

    /** The second attempt was answered well. */
    void overtaken() {
        hedger.overtaken(sentNanos);
    }

    /** The second attempt was answered well after the first had failed, which tells nothing of how long answers take. */
    void rescued() {
        hedger.rescued();
    }
}

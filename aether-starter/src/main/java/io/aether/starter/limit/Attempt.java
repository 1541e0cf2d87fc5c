// SPDX-License-Identifier: Apache-2.0
package io.aether.starter.limit;

import io.aether.starter.context.RequestContext;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import org.jspecify.annotations.Nullable;

/**
 * One request that a branch let pass, from then until its answer's body has ended. Tells the limiter once what became of it,
 * and the server that needs it when it no longer waits. Thread-safe; the first word counts.
 */
public final class Attempt {
    private static final AtomicIntegerFieldUpdater<Attempt> JUDGED =
            AtomicIntegerFieldUpdater.newUpdater(Attempt.class, "judged");
    private static final AtomicIntegerFieldUpdater<Attempt> ENDED =
            AtomicIntegerFieldUpdater.newUpdater(Attempt.class, "ended");

    private final @Nullable Branch branch;
    private final RequestContext context;
    private final boolean optional;
    private volatile int judged;
    private volatile int ended;

    /**
     * @param branch null for one that nothing limits
     * @param optional whether the request can do without the answer
     */
    Attempt(@Nullable Branch branch, RequestContext context, boolean optional) {
        this.branch = branch;
        this.context = context;
        this.optional = optional;
        context.work().callBegins();
    }

    /**
     * The answer's headers are here.
     *
     * @param overloaded whether it refuses for overload, see {@link OverloadSigns}
     * @param pressure what the answer says of it, -1 for nothing
     */
    void answered(boolean overloaded, int pressure) {
        if (!JUDGED.compareAndSet(this, 0, 1)) {
            return;
        }
        if (branch != null) {
            if (overloaded) {
                branch.limiter().refused();
            } else {
                branch.limiter().answered(pressure);
            }
        }
        if (pressure >= 0 && !optional) {
            context.work().heard(pressure);
        }
    }

    /** There will be no answer any more, unless there was one already. */
    void settle() {
        if (JUDGED.compareAndSet(this, 0, 1)) {
            if (branch != null) {
                branch.limiter().lost();
            }
            end();
        }
    }

    /** The answer's body has ended, or nobody reads it any more. Idempotent. */
    public void end() {
        if (ENDED.compareAndSet(this, 0, 1)) {
            context.work().callEnds();
        }
        settle();
    }
}

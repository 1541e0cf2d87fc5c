// SPDX-License-Identifier: Apache-2.0
package io.aether.starter.limit;

import io.aether.core.pick.Mode;
import io.aether.starter.context.ContextHeaders;
import io.aether.starter.context.RequestContext;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import org.springframework.cloud.client.loadbalancer.Request;
import org.springframework.cloud.client.loadbalancer.RequestDataContext;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatusCode;

/**
 * One call of an application through the limiter of its branch, over all its attempts: whoever sends one asks first. It rides
 * along as an attribute of the request.
 *
 * <p>Attempts of one call follow each other, perhaps on different threads; cancellation may come from any thread.
 */
public final class Passage {

    /** Name of the request attribute. */
    public static final String ATTRIBUTE = Passage.class.getName();

    private final BranchLimits limits;
    private final ServiceLimits service;
    private final @Nullable Branch branch;
    private final RequestContext context;
    private volatile @Nullable Attempt current;
    private final boolean beside;
    private volatile int attempts;

    Passage(BranchLimits limits, ServiceLimits service, @Nullable Branch branch, RequestContext context) {
        this(limits, service, branch, context, false);
    }

    private Passage(
            BranchLimits limits,
            ServiceLimits service,
            @Nullable Branch branch,
            RequestContext context,
            boolean beside) {
        this.beside = beside;
        this.attempts = beside ? 1 : 0;
        this.limits = limits;
        this.service = service;
        this.branch = branch;
        this.context = context;
    }

    /** The passage that {@code request} belongs to, or null when another entry point than ours made it. */
    public static @Nullable Passage of(Request<?> request) {
        return request.getContext() instanceof RequestDataContext data
                        && data.getClientRequest() != null
                        && data.getClientRequest().getAttributes().get(ATTRIBUTE) instanceof Passage passage
                ? passage
                : null;
    }

    /**
     * Asks whether an attempt may be sent. If so, one of {@link #answered} and {@link #settle} follows. Never blocks.
     *
     * @throws BranchLimitedException if the branch's limit holds it back
     * @throws DeadlinePassedException if nobody waits for the answer any more
     */
    public void ask() {
        end();
        int number = attempts + 1; // Attempts follow each other.
        attempts = number;
        Branch limited = branch;
        Mode mode = limited == null ? Mode.OFF : limits.switches().of(service.id());
        if (limited == null || mode == Mode.OFF) {
            current = new Attempt(null, context, service.optional());
            return;
        }
        boolean on = mode == Mode.ON;
        if (context.hasDeadline() && context.remainingNanos(limits.nanos()) <= 0) {
            limited.countExpired();
            if (on) {
                throw limited.late();
            }
        }
        if (!limited.passes(context)) {
            if (on) {
                throw limited.refusal(context);
            }
            limited.limiter().sentAnyway();
        }
        if (number == 1) {
            limited.retries().sent();
        } else {
            limited.retries().spend();
        }
        current = new Attempt(limited, context, service.optional());
    }

    /**
     * Whether the branch grants another attempt: its retries are within their budget and it is not marked. Asking takes
     * nothing from the budget. In mode observe the answer is yes, whatever is counted. What runs beside another attempt is not
     * retried.
     */
    public boolean grantsRetry() {
        if (beside) {
            return false;
        }
        Branch limited = branch;
        Mode mode = limited == null ? Mode.OFF : limits.switches().of(service.id());
        return limited == null || mode != Mode.ON || limited.grantsRetry();
    }

    /** The passage of an attempt that runs beside this one's; it counts as a retry. */
    public Passage beside() {
        return new Passage(limits, service, branch, context, true);
    }

    /** Whether it is the second attempt beside another. */
    public boolean isBeside() {
        return beside;
    }

    /**
     * What stands against a second attempt beside the first: the branch's share of marked answers, 0 to 1; 1 also when its retries
     * have used up their budget or the call has been retried.
     */
    public double hedgeFraction() {
        Branch limited = branch;
        if (attempts > 1) {
            return 1;
        }
        return limited == null || limited.grantsRetry() ? 0 : 1;
    }

    /** A retry was not made because it was not granted. */
    public void denied() {
        if (branch != null) {
            branch.retries().deny();
        }
    }

    /** The headers of the answer to the current attempt are here. */
    public void answered(HttpStatusCode status, HttpHeaders headers) {
        Attempt attempt = current;
        if (attempt != null) {
            int pressure = ContextHeaders.pressure(headers.getFirst(ContextHeaders.PRESSURE), limits.ignored());
            attempt.answered(OverloadSigns.in(status, headers), pressure);
        }
    }

    /** The current attempt, if any, gets no answer any more, unless it got one already. Idempotent. */
    public void settle() {
        Attempt attempt = current;
        if (attempt != null) {
            attempt.settle();
        }
    }

    /** Ends the current attempt, if any. Idempotent. */
    public void end() {
        Attempt attempt = current;
        if (attempt != null) {
            attempt.end();
        }
    }

    /** The current attempt; null before the first one passed. */
    public @Nullable Attempt current() {
        return current;
    }

    /** Whether there is anything for {@link #write} to say. */
    public boolean hasContext() {
        return context != RequestContext.NONE;
    }

    /** Hands over the headers that carry the request's context on, name and value. */
    public void write(BiConsumer<String, String> headers) {
        if (hasContext()) {
            ContextHeaders.write(context, limits.nanos(), headers);
        }
    }
}

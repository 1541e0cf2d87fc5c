// SPDX-License-Identifier: Apache-2.0
package io.aether.starter.limit;

import io.aether.core.pick.Instance;
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
    private final @Nullable Passage first;
    private volatile int attempts;
    private volatile Ruling ruling = Ruling.OFF;
    private volatile @Nullable Destination destination;
    private volatile Passage told = this;

    Passage(BranchLimits limits, ServiceLimits service, @Nullable Branch branch, RequestContext context) {
        this(limits, service, branch, context, null);
    }

    private Passage(
            BranchLimits limits,
            ServiceLimits service,
            @Nullable Branch branch,
            RequestContext context,
            @Nullable Passage first) {
        this.first = first;
        this.attempts = first == null ? 0 : 1;
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
        if (destination != null) {
            destination = null;
        }
        Branch limited = branch;
        Mode mode = limited == null ? Mode.OFF : limits.switches().of(service.id());
        if (limited == null || mode == Mode.OFF) {
            ruling = Ruling.OFF;
            current = new Attempt(null, context, service.optional());
            return;
        }
        boolean on = mode == Mode.ON;
        ruling = Ruling.PASSED;
        if (context.hasDeadline() && context.remainingNanos(limits.nanos()) <= 0) {
            limited.countExpired();
            ruling = on ? Ruling.LATE : Ruling.SPARED;
            if (on) {
                throw limited.late();
            }
        }
        if (!limited.passes(context)) {
            ruling = on ? Ruling.HELD : Ruling.SPARED;
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
        if (isBeside()) {
            return false;
        }
        Branch limited = branch;
        Mode mode = limited == null ? Mode.OFF : limits.switches().of(service.id());
        return limited == null || mode != Mode.ON || limited.grantsRetry();
    }

    /** The passage of an attempt that runs beside this one's; it counts as a retry. */
    public Passage beside() {
        return new Passage(limits, service, branch, context, this);
    }

    /** Whether it is the second attempt beside another. */
    public boolean isBeside() {
        return first != null;
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

    /** The current attempt goes to {@code instance}; null when Aether does not know it. */
    public void sentTo(@Nullable Instance instance) {
        Standing standing = limits.standing();
        if (standing != null) {
            destination = instance == null ? null : new Destination(instance, standing.of(instance));
        }
    }

    /** Where the current attempt went; null before, and when nobody wants to know. */
    public @Nullable Destination destination() {
        return destination;
    }

    /** What the limiter said of the current attempt. */
    public Ruling ruling() {
        return ruling;
    }

    /** Attempts so far; one that runs beside another is the second. */
    public int attempts() {
        return attempts;
    }

    /** Of the attempts that ran beside each other the one that answered last; this one while none has. */
    public Passage told() {
        return told;
    }

    /** The headers of the answer to the current attempt are here. */
    public void answered(HttpStatusCode status, HttpHeaders headers) {
        Passage whole = first == null ? this : first;
        if (whole.told != this) {
            whole.told = this;
        }
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

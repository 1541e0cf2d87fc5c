// SPDX-License-Identifier: Apache-2.0
package io.aether.starter.server;

import io.aether.core.NanoClock;
import io.aether.core.limit.Priority;
import io.aether.starter.context.ServerWork;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * One request that the server works on: how much of its time is waiting for other services, and what pressure these
 * told of. Calls may overlap: the time is that in which at least one is under way. Thread-safe; no lock.
 */
public final class ServerRequest implements ServerWork {
    private static final VarHandle CALLS = handle("calls", int.class);
    private static final VarHandle WAITED = handle("waited", long.class);
    private static final VarHandle HEARD = handle("heard", int.class);
    /** The sign bit of the count of calls. */
    private static final int OVER = Integer.MIN_VALUE;

    private final ServerLoad load;
    private final NanoClock clock;
    private final long started;
    /** Who decided on the priority; written once, by the thread that the request arrives on. */
    private boolean ruled;

    private boolean told;
    private double queueNanos;
    private Priority priority = Priority.CRITICAL;
    private int others;

    private volatile int calls;
    /**
     * Waiting so far; while a call is under way, less the time at which that began. Sums commute, so a call that begins
     * while another ends loses nothing.
     */
    private volatile long waited;

    private volatile int heard;
    private volatile @Nullable Followers followers;

    /** A request that arrived; {@link #begin()} counts it. */
    public ServerRequest(ServerLoad load, NanoClock clock) {
        this.load = load;
        this.clock = clock;
        this.started = clock.nanos();
    }

    private static VarHandle handle(String field, Class<?> type) {
        try {
            return MethodHandles.lookup().findVarHandle(ServerRequest.class, field, type);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /** On the server's clock, when it arrived. */
    public long startedNanos() {
        return started;
    }

    /** It is let in, and in flight until {@link #end}. */
    public void begin() {
        others = load.begun(started);
    }

    @Override
    public void callBegins() {
        int before = (int) CALLS.getAndAdd(this, 1);
        if (before == 0) {
            WAITED.getAndAdd(this, -clock.nanos());
            load.waits();
        }
    }

    @Override
    public void callEnds() {
        int before = calls;
        while ((before & ~OVER) != 0 && !CALLS.compareAndSet(this, before, before - 1)) {
            before = calls;
        }
        if (before == 1) {
            WAITED.getAndAdd(this, clock.nanos());
            load.waitsNoMore();
        }
    }

    @Override
    public void heard(int pressure) {
        int bounded = Math.max(0, Math.min(pressure, MOST_PRESSURE));
        int before = heard;
        while (bounded > before && !HEARD.compareAndSet(this, before, bounded)) {
            before = heard;
        }
    }

    @Override
    public boolean follows(Object branch) {
        Followers known = followers;
        return known != null && Followers.take(known, branch, clock.nanos());
    }

    /** Calls that pass at the same moment may lose one another; then one of them is asked again. */
    @Override
    public void passed(Object branch) {
        long now = clock.nanos();
        followers = new Followers(branch, now, Followers.recent(followers, now));
    }

    /** The highest pressure that a branch told of. */
    public int heard() {
        return heard;
    }

    /** How long it waited for other services so far, in ns. */
    public long waitedNanos() {
        int under = calls;
        long sum = waited;
        long now = clock.nanos();
        // A call may end between the two reads above.
        return Math.max(0, Math.min(under > 0 ? sum + now : sum, now - started));
    }

    /**
     * It is over; later calls are nobody's. May be called again, without effect.
     *
     * @param answered false when the client went away before it was: then its time says nothing
     */
    public void end(boolean answered) {
        int before = (int) CALLS.getAndBitwiseOr(this, OVER);
        if (before < 0) {
            return;
        }
        long now = clock.nanos();
        if (before > 0) {
            WAITED.getAndAdd(this, now);
            load.waitsNoMore();
        }
        load.gone();
        if (answered) {
            LatencyByLoad latency = load.latency();
            if (latency != null) {
                latency.observe(others, now - started);
            }
            load.answered(now - started, Math.max(0, now - started - waited), now);
        }
    }

    /** Notes who decided on the priority: the operator's rule, or else whoever sent the request, or else nobody. */
    void decided(boolean byRule, boolean bySender) {
        ruled = byRule;
        told = bySender;
    }

    /** Notes the wait in the server's queue by which it was judged, in ns, and what it was then. */
    void judgedBy(double waitNanos, Priority then) {
        queueNanos = waitNanos;
        priority = then;
    }

    Priority priority() {
        return priority;
    }

    double queueNanos() {
        return queueNanos;
    }

    boolean ruled() {
        return ruled;
    }

    boolean told() {
        return told;
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.aether.starter.server;

import io.aether.core.NanoClock;
import io.aether.core.limit.Priority;
import io.aether.core.pick.Mode;
import io.aether.starter.context.RequestContext;
import io.aether.starter.context.ServerWork;
import java.util.concurrent.Executor;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.http.server.PathContainer;

/** Where requests come in: what the filters of all kinds of servers have in common. Thread-safe; no lock. */
public final class ServerEntry {
    private static final int FIRST_SERVER_ERROR = 500;
    private static final String[] PRESSURES = new String[ServerWork.MOST_PRESSURE + 1];

    static {
        for (int i = 0; i < PRESSURES.length; i++) {
            PRESSURES[i] = Integer.toString(i);
        }
    }

    private final ServerLoad load;
    private final OwnQueue queue;
    private final ServerGate gate;
    private final Arrivals arrivals;
    private final Supplier<@Nullable String> loadReport;
    private final boolean tells;
    private final NanoClock clock;

    /**
     * The entry of a server.
     *
     * @param loadReport what answers say of this server's load, see {@link LoadHeader}
     * @param tells whether answers tell Aether's clients of it
     */
    public ServerEntry(
            ServerLoad load,
            OwnQueue queue,
            ServerGate gate,
            Arrivals arrivals,
            Supplier<@Nullable String> loadReport,
            boolean tells,
            NanoClock clock) {
        this.load = load;
        this.queue = queue;
        this.gate = gate;
        this.arrivals = arrivals;
        this.loadReport = loadReport;
        this.tells = tells;
        if (tells) {
            load.keepAnswerTime();
        }
        this.clock = clock;
    }

    /** Whether requests to the path are none of Aether's business. */
    public boolean exempt(String path) {
        return arrivals.exempt(path);
    }

    /** Whether context headers of requests are believed, and answers tell of pressure: not towards the outside. */
    public boolean trusting() {
        return arrivals.trusting();
    }

    /** A request came, see {@link Arrivals#arrive}; it has to be judged. */
    public RequestContext arrive(
            String method, Function<String, @Nullable String> headers, Supplier<PathContainer> path) {
        ServerRequest request = new ServerRequest(load, clock);
        return arrivals.arrive(request, method, headers, path, request.startedNanos());
    }

    /**
     * Judges a request that came.
     *
     * @param executor the event loop that it came on; null when it came on none, or on one that is not known
     */
    public Verdict judge(RequestContext context, ServerRequest request, @Nullable Executor executor) {
        long now = request.startedNanos();
        double wait = queue.arrive(context.priority(), executor == null ? null : queue.lagOf(executor), now);
        request.judgedBy(wait, context.priority());
        return gate.judge(context, wait, now);
    }

    /** Judges a request once more whose context is another one now. Who was let in only since nobody is refused is not counted twice. */
    private Verdict judgeAgain(RequestContext before, RequestContext after) {
        if (!(after.work() instanceof ServerRequest request)) {
            return Verdict.ADMIT;
        }
        long now = request.startedNanos();
        double wait = request.queueNanos();
        request.judgedBy(wait, after.priority());
        return gate.wouldAdmit(before, wait, now) ? gate.judge(after, wait, now) : Verdict.ADMIT;
    }

    /** A context that was found later, and what becomes of its request. */
    public record Revised(RequestContext context, Verdict verdict) {}

    /** The request's user turned out to be this one; null if that changes nothing. */
    public @Nullable Revised identified(RequestContext context, @Nullable String identity) {
        return revised(context, arrivals.identified(context, identity));
    }

    /** A gateway's route turned out to be of this priority, and to end within this time; null if that changes nothing. */
    public @Nullable Revised routed(RequestContext context, @Nullable Priority priority, long withinNanos) {
        return revised(context, arrivals.routed(context, priority, withinNanos, clock.nanos()));
    }

    private @Nullable Revised revised(RequestContext before, RequestContext after) {
        return before == after ? null : new Revised(after, judgeAgain(before, after));
    }

    /** For the answer: pressure of this server and of the branches that the request could not do without; null to say nothing. */
    public @Nullable String pressure(ServerRequest request) {
        if (!arrivals.trusting() || gate.mode() != Mode.ON) {
            return null;
        }
        int own = gate.pressure(queue.waitNanos(clock.nanos()), request.priority());
        return PRESSURES[Math.max(own, request.heard())];
    }

    /** For the answer, as {@link io.aether.core.score.LoadWord#HEADER}: this server's load; null to say nothing. */
    public @Nullable String word(ServerRequest request) {
        if (!tells || !arrivals.trusting()) {
            return null;
        }
        long now = clock.nanos();
        return load.word(now - request.startedNanos(), now);
    }

    /** For the answer, as {@link io.aether.core.score.LoadReport#HEADER}: this server's load; null to say nothing. */
    public @Nullable String load() {
        return loadReport.get();
    }

    /** An answer has this status. */
    public void status(int status) {
        if (status >= FIRST_SERVER_ERROR) {
            load.failure();
        }
    }

    /** For Retry-After of a refused request. */
    public String retryAfter(ServerRequest request) {
        return Long.toString(gate.retryAfterSeconds(request.queueNanos()));
    }

    /** A worker thread was held by a request from one time to another, and waited in between for other services. */
    public void held(long fromNanos, long waitedNanos) {
        load.held(Math.max(0, clock.nanos() - fromNanos - waitedNanos));
    }

    /** Now. */
    public long nanos() {
        return clock.nanos();
    }
}

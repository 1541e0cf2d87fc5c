// SPDX-License-Identifier: Apache-2.0
package io.aether.starter.inflight;

import io.aether.core.pick.Instance;
import io.aether.core.pick.Outcome;
import io.aether.core.score.LoadReport;
import io.aether.core.score.LoadWord;
import java.lang.ref.Cleaner.Cleanable;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * One request on its way to one instance: in flight from its start until its answer's body has ended, was cancelled or was
 * closed. Latency is the time to the answer's headers, so that a stream does not make an instance look slow; but for an
 * answer whose length is announced and at most {@value #WHOLE_BYTES} bytes it is the time to its last byte, so that an
 * instance behind a slow or lossy link does.
 *
 * <p>Thread-safe and idempotent: the first of several outcomes counts, and the instance's in-flight count is lowered exactly
 * once. When the application loses the last reference to a flight without ending it, the garbage collector ends it.
 */
public final class Flight {

    /** About 45 segments: what a healthy path brings within a few round trips. */
    static final long WHOLE_BYTES = 65_536;

    private static final int TOO_MANY_REQUESTS = 429;
    private static final int FIRST_SERVER_ERROR = 500;
    private static final int SWITCHING_PROTOCOLS = 101;

    private final State state;
    private final Flights flights;
    private final @Nullable Trip trip;
    private final long startNanos;
    private final AtomicBoolean judged = new AtomicBoolean();
    private volatile boolean arriving;
    private final Cleanable cleanable;

    Flight(Flights flights, Instance instance, @Nullable Trip trip) {
        this.flights = flights;
        this.trip = trip;
        this.startNanos = instance.start();
        this.state = new State(instance, flights);
        this.cleanable = flights.watch(this, state);
    }

    /** Whether a status says that the server failed: 5xx and 429. */
    public static boolean isFailure(int status) {
        return status >= FIRST_SERVER_ERROR || status == TOO_MANY_REQUESTS;
    }

    /** The instance that serves the request. */
    public Instance instance() {
        return state.instance;
    }

    /**
     * The answer's headers are here.
     *
     * @param status HTTP status
     * @param retryAfter value of the Retry-After header, if any
     * @param contentType value of the Content-Type header, if any
     */
    public void answered(int status, @Nullable String retryAfter, @Nullable String contentType) {
        answered(status, retryAfter, contentType, -1);
    }

    /**
     * The answer's headers are here, and {@link #arrived} will tell of its last byte.
     *
     * @param length value of the Content-Length header, -1 without one
     */
    public void answered(int status, @Nullable String retryAfter, @Nullable String contentType, long length) {
        boolean failure = isFailure(status);
        arriving = !failure && length > 0 && length <= WHOLE_BYTES;
        if (arriving || !judged.compareAndSet(false, true)) {
            return;
        }
        if (failure) {
            fail(
                    status == TOO_MANY_REQUESTS ? FailureKind.REFUSED : FailureKind.SERVER_ERROR,
                    RetryAfter.nanos(retryAfter));
            return;
        }
        boolean stream = status == SWITCHING_PROTOCOLS || isEventStream(contentType);
        state.instance.firstByte(startNanos, stream ? Outcome.IGNORED : Outcome.SUCCESS);
    }

    /**
     * The answer may tell of its server's load.
     *
     * @param report value of the header {@value LoadReport#HEADER}, if any
     * @param word value of the header {@value LoadWord#HEADER}, if any
     */
    public void reported(@Nullable String report, @Nullable String word) {
        LoadReport other = report == null ? null : LoadReport.parse(report);
        long load = word == null ? LoadWord.VOID : LoadWord.read(word);
        if ((report != null && other == null) || (word != null && load == LoadWord.VOID)) {
            flights.unreadable();
        }
        if (other != null || load != LoadWord.VOID) {
            state.instance.reported(load, other == null ? 0 : other.utilization());
        }
    }

    /** The last byte of the answer's body is here. */
    public void arrived() {
        if (arriving && judged.compareAndSet(false, true)) {
            state.instance.firstByte(startNanos, Outcome.SUCCESS);
        }
    }

    /** The request failed before its headers, or its body broke off. Errors of the caller's own making are not held against it. */
    public void failed(Throwable cause) {
        FailureKind kind = FailureKind.of(cause);
        if (kind == null) {
            ignored();
        } else if (judged.compareAndSet(false, true) || kind != FailureKind.TIMEOUT) {
            fail(kind, 0);
        }
    }

    /**
     * The caller gave up. When that was a timeout, the time it waited is a lower bound of the latency: it counts if it is
     * longer than what the instance was thought to take.
     */
    public void cancelled() {
        if (judged.compareAndSet(false, true)) {
            state.instance.firstByte(startNanos, Outcome.CANCELLED);
        }
    }

    /** The request tells nothing about the instance. */
    public void ignored() {
        if (judged.compareAndSet(false, true)) {
            state.instance.firstByte(startNanos, Outcome.IGNORED);
        }
    }

    /** The body has ended, was cancelled or was closed. Idempotent. */
    public void end() {
        ignored();
        if (state.end()) {
            cleanable.clean();
        }
    }

    /** Ends a flight that nobody will end any more, and counts it as leaked. */
    void lost() {
        ignored();
        cleanable.clean();
    }

    long startNanos() {
        return startNanos;
    }

    private void fail(FailureKind kind, long retryAfterNanos) {
        if (kind == FailureKind.CONNECT) {
            state.instance.refuse(startNanos);
        } else {
            state.instance.fail(startNanos, retryAfterNanos);
        }
        flights.failed(state.instance, kind);
        if (trip != null) {
            trip.failed(state.instance);
        }
    }

    private static boolean isEventStream(@Nullable String contentType) {
        return contentType != null && contentType.regionMatches(true, 0, "text/event-stream", 0, 17);
    }

    /** What outlives the flight: must not refer to it. Run by the cleaner, once. */
    private static final class State implements Runnable {

        private final Instance instance;
        private final Flights flights;
        private final AtomicBoolean ended = new AtomicBoolean();

        State(Instance instance, Flights flights) {
            this.instance = instance;
            this.flights = flights;
        }

        boolean end() {
            if (ended.compareAndSet(false, true)) {
                instance.end();
                return true;
            }
            return false;
        }

        @Override
        public void run() {
            if (end()) {
                flights.leaked();
            }
        }
    }
}

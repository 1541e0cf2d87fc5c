// SPDX-License-Identifier: Apache-2.0
package io.aether.starter.inflight;

import io.aether.core.NanoClock;
import io.aether.core.pick.Instance;
import java.lang.ref.Cleaner;
import java.lang.ref.Cleaner.Cleanable;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/** Starts flights and counts what went wrong with them. Thread-safe. */
public final class Flights {

    /** Hears of every failure that is held against an instance. */
    @FunctionalInterface
    public interface FailureListener {
        /** Called on the thread that saw the failure; must not block. */
        void onFailure(Instance instance, FailureKind kind);
    }

    private final NanoClock clock;
    private final FailureListener listener;
    private final Cleaner cleaner = Cleaner.create();
    private final LongAdder leaked = new LongAdder();
    private final LongAdder unreadable = new LongAdder();

    /** Creates the counter of flights. */
    public Flights(NanoClock clock, FailureListener listener) {
        this.clock = clock;
        this.listener = listener;
    }

    /** Starts a request to {@code instance}: it is in flight from now on. */
    public Flight start(Instance instance) {
        return start(instance, null);
    }

    Flight start(Instance instance, @Nullable Trip trip) {
        return new Flight(this, instance, trip);
    }

    /** Flights that nobody ended since the application started. */
    public long leakedTotal() {
        return leaked.sum();
    }

    /** Answers whose word of their server's load made no sense, since the application started. */
    public long unreadableReportsTotal() {
        return unreadable.sum();
    }

    void unreadable() {
        unreadable.increment();
    }

    Cleanable watch(Flight flight, Runnable state) {
        return cleaner.register(flight, state);
    }

    void leaked() {
        leaked.increment();
    }

    void failed(Instance instance, FailureKind kind) {
        listener.onFailure(instance, kind);
    }

    long nanos() {
        return clock.nanos();
    }
}

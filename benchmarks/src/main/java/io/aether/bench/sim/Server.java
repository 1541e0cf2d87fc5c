// SPDX-License-Identifier: Apache-2.0
package io.aether.bench.sim;

import io.aether.bench.sim.policy.Ending;
import io.aether.bench.sim.policy.Load;
import java.util.ArrayDeque;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A server: workers, a queue before them, and whatever befalls it. On a machine of its own it works at its own pace;
 * with a {@link Processor} a part of its work competes for that, one thread per worker. Not thread-safe.
 */
final class Server {
    private static final long FAST_FAILURE_NANOS = 200_000;
    /** How often one request is put on a run queue when a noisy neighbour is there: to be read, worked on, answered. */
    private static final int WAITS = 3;

    final int index;
    final Vitals vitals;
    final Meter meter;
    /** Mean work, in ns. */
    double meanNanos;
    /** How many times as long everything takes now. */
    double slowness = 1;
    /** Whether the slowness is a neighbour on the processor, which its kernel sees, or its own affair. */
    boolean neighbour;
    /** Share of requests that it answers with an error at once. */
    double failing;

    boolean down;
    /** Requests until a cold server is warm, and how much slower the first one is. */
    double coldRequests;

    double coldFactor = 1;
    /** What a request still needs when the server's own work is done; null for nothing. */
    @Nullable
    Downstream downstream;

    private final Agenda agenda;
    private final Chance chance;
    private final int workers;
    /** What waits for a worker. */
    private final ArrayDeque<Runnable> queue = new ArrayDeque<>();

    private @Nullable Processor processor;
    private double processorShare;
    private double waitNanos;
    private double waitVariation;
    private double processorNanos;
    private int busy;
    private int inFlight;
    private int served;
    private long pausedUntil;
    private long pausedTotal;

    Server(int index, Agenda agenda, Chance chance, int workers, double meanNanos) {
        this.index = index;
        this.agenda = agenda;
        this.chance = chance;
        this.workers = workers;
        this.meanNanos = meanNanos;
        this.vitals = new Vitals(agenda);
        this.meter = new Meter(agenda, workers);
    }

    /** From now on {@code share} of its work is the processor's, half of it before the rest and half after. */
    void runsOn(Processor shared, double share) {
        processor = shared;
        processorShare = share;
    }

    /** From now on its work is a wait and a fixed time on the shared processor. */
    void works(double waitMillis, double variation, double processorMillis) {
        waitNanos = waitMillis * Agenda.MILLI;
        waitVariation = variation;
        processorNanos = processorMillis * Agenda.MILLI;
    }

    /** Stops it for a time: nothing is read, nothing goes on. */
    void pause(long nanos) {
        long now = agenda.nanos();
        long from = Math.max(now, pausedUntil);
        pausedTotal += Math.max(0, now + nanos - from);
        pausedUntil = Math.max(pausedUntil, now + nanos);
        vitals.stoppedAt = now;
        vitals.runsAgainAt = pausedUntil;
    }

    /** Dies with all that is in it, and comes back cold. */
    void restart(long nanos, double factor, double requests) {
        down = true;
        vitals.goneAt = agenda.nanos();
        while (!queue.isEmpty()) {
            busy++;
            queue.remove().run();
        }
        agenda.after(nanos, () -> {
            down = false;
            vitals.goneAt = 0;
            served = 0;
            coldFactor = factor;
            coldRequests = requests;
        });
    }

    int inFlight() {
        return inFlight;
    }

    Load load() {
        return meter.load(inFlight);
    }

    void arrive(Request request) {
        request.arrived = agenda.nanos();
        request.inFlightAtArrival = inFlight++;
        if (down) {
            end(request, Ending.REFUSED, 0);
        } else if (chance.happens(failing)) {
            agenda.after(FAST_FAILURE_NANOS, () -> end(request, Ending.FAILED, FAST_FAILURE_NANOS));
        } else {
            work(() -> start(request));
        }
    }

    /** Has a worker do something, as soon as one is free; it calls {@link #release} when it is. */
    private void work(Runnable action) {
        if (busy < workers) {
            busy++;
            action.run();
        } else {
            queue.add(action);
        }
    }

    private void release() {
        busy--;
        if (busy < workers && !queue.isEmpty()) {
            busy++;
            queue.remove().run();
        }
    }

    private void start(Request request) {
        if (down) {
            end(request, Ending.FAILED, 0);
            release();
            return;
        }
        long from = Math.max(agenda.nanos(), pausedUntil);
        request.started = from;
        request.pausedBefore = pausedTotal;
        long work = (long) (request.size * meanNanos * slowness * coldness());
        if (from > agenda.nanos()) {
            agenda.at(from, () -> serve(request, work));
        } else {
            serve(request, work);
        }
    }

    private void serve(Request request, long work) {
        vitals.read(agenda.nanos() - request.arrived);
        if (neighbour && slowness > 1) {
            long wait = (long) (work * (1 - 1 / slowness) / WAITS);
            for (int i = 0; i < WAITS; i++) {
                vitals.waitedForProcessor((long) (wait * chance.exponential(1)));
            }
        }
        Processor shared = processor;
        if (shared == null) {
            agenda.after(work, () -> finish(request, work));
            return;
        }
        boolean waits = processorNanos > 0;
        long half = (long) ((waits ? processorNanos * slowness * coldness() : work * processorShare) / 2);
        long pause = waits ? (long) (waitNanos * chance.lognormal(waitVariation)) : work - 2 * half;
        shared.run(vitals, half, () -> {
            release(); // Its thread is free while it waits for something.
            Runnable rest = () -> shared.run(vitals, half, () -> finish(request, work));
            agenda.after(pause, () -> work(rest));
        });
    }

    private double coldness() {
        return coldFactor == 1 ? 1 : 1 + (coldFactor - 1) * Math.exp(-served++ / coldRequests);
    }

    private void finish(Request request, long work) {
        long stopped = pausedTotal - request.pausedBefore;
        if (stopped > 0) {
            request.pausedBefore = pausedTotal;
            agenda.at(Math.max(pausedUntil, agenda.nanos() + stopped), () -> finish(request, work));
            return;
        }
        release();
        if (down || downstream == null) {
            end(request, down ? Ending.FAILED : Ending.OK, work);
        } else {
            downstream.call(failed -> end(request, failed ? Ending.FAILED : Ending.OK, work));
        }
    }

    /** Calls that a server makes for a request; its own worker is free meanwhile. */
    interface Downstream {
        /** Makes them all and tells whether any failed. */
        void call(Consumer<Boolean> done);
    }

    private void end(Request request, Ending ending, long work) {
        inFlight--;
        meter.answered(request.inFlightAtArrival, agenda.nanos() - request.arrived, work, ending != Ending.OK);
        request.reply.accept(ending, ending == Ending.REFUSED ? null : load());
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.aether.bench.demo;

import io.aether.bench.Cleanup;
import io.aether.bench.demo.Schedule.Block;
import io.aether.bench.demo.Schedule.Window;
import java.io.IOException;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** Plays the schedule: switches the arms and injects the faults at their times, on one thread. */
final class Conductor implements AutoCloseable {

    private final ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor(task -> {
        Thread thread = new Thread(task, "conductor");
        thread.setDaemon(true);
        return thread;
    });
    private final Schedule schedule;
    private final Cluster cluster;
    private final Injector injector;
    private final Consumer<String> notes;
    private final Shares shares;
    private final Set<Fault> active = new ConcurrentSkipListSet<>();

    Conductor(Schedule schedule, Cluster cluster, Injector injector, Consumer<String> notes) {
        this.schedule = schedule;
        this.cluster = cluster;
        this.injector = injector;
        this.notes = notes;
        this.shares = new Shares(cluster);
    }

    /** Plans everything; {@code t0} is the monotonic time of second 0 of the schedule. */
    void start(long t0) {
        // The first half of the warm-up went through Aether, the second goes through the arm that comes first.
        at(t0, schedule.warmup() / 2, () -> switchTo(schedule.blocks().get(0).arm()));
        for (Block block : schedule.blocks()) {
            at(t0, block.start(), () -> switchTo(block.arm()));
            for (Window window : schedule.windows()) {
                double start = block.start() + window.start();
                double end = block.start() + window.end();
                at(t0, start, () -> begin(window.fault()));
                if (window.fault() == Fault.PAUSE) {
                    pauses(t0, start, end);
                }
                at(t0, end, () -> end(window.fault(), block.arm()));
            }
        }
    }

    private void pauses(long t0, double start, double end) {
        for (double stop = start + 0.1; stop + Injector.PAUSE < end; stop += Injector.PAUSE_EVERY) {
            at(t0, stop, () -> injector.pause(true));
            at(t0, stop + Injector.PAUSE, () -> injector.pause(false));
        }
    }

    private void begin(Fault fault) throws IOException {
        shares.begin(fault);
        active.add(fault);
        injector.begin(fault);
    }

    private void end(Fault fault, Arm arm) throws IOException {
        active.remove(fault);
        injector.end(fault);
        shares.end(fault, arm);
    }

    /** Those that do not take it are asked once more: one may just be starting. */
    private void switchTo(Arm arm) {
        List<Topology.Node> behind = cluster.switchAgain(cluster.switchTo(arm));
        if (!behind.isEmpty() && schedule.blocks().stream().anyMatch(b -> b.arm() != Arm.ROUND_ROBIN)) {
            notes.accept("%s did not switch to %s"
                    .formatted(behind.stream().map(Topology.Node::name).toList(), arm.label()));
        }
    }

    private void at(long t0, double second, Cleanup.Step step) {
        long delay = t0 + (long) (second * 1e9) - System.nanoTime();
        ScheduledFuture<?> unused = clock.schedule(
                () -> {
                    try {
                        step.run();
                    } catch (Exception e) {
                        notes.accept("at second %.0f: %s".formatted(second, e.getMessage()));
                    }
                },
                delay,
                TimeUnit.NANOSECONDS);
    }

    /** The faults that are active now. */
    Set<Fault> active() {
        return active;
    }

    Shares shares() {
        return shares;
    }

    @Override
    public void close() {
        clock.shutdownNow();
    }
}

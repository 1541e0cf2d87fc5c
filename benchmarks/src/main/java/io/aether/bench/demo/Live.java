// SPDX-License-Identifier: Apache-2.0
package io.aether.bench.demo;

import io.aether.bench.Cleanup;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A demo that somebody looks at and switches: arms, faults one by one, the agent. Thread-safe; switching is done one after the
 * other, and looking never waits for it.
 */
final class Live implements LiveServer.Board, AutoCloseable {

    private static final long MILLIS = 1000;
    private static final long RESTART_EVERY_MILLIS = 20 * MILLIS;
    private static final long COUNT_EVERY_MILLIS = 2 * MILLIS;

    /** Nobody asks for longer: nobody looks, and the instances need not be asked. */
    private static final long LOOKING_NANOS = 10_000_000_000L;

    private final Cluster cluster;
    private final Injector injector;
    private final @Nullable AgentSwitch agent;
    private final List<Arm> arms;
    private final Set<Fault> possible;
    private final LiveFigures figures;
    private final BooleanSupplier loaded;
    private final Map<Fault, Runnable> active = new ConcurrentHashMap<>();
    private final Object switching = new Object();

    /** So many threads that neither a restart nor a count that waits leaves a stopped process stopped. */
    private final ScheduledExecutorService clock = Executors.newScheduledThreadPool(3, task -> {
        Thread thread = new Thread(task, "live");
        thread.setDaemon(true);
        return thread;
    });

    private volatile Map<String, Map<String, Long>> served = Map.of();
    private volatile long askedAt = System.nanoTime() - LOOKING_NANOS;
    private volatile Arm arm;

    /**
     * @param agent null where there is none
     * @param arms those that can run here, the one that runs last
     * @param possible faults that can be injected here
     * @param figures told of switches; whoever sends the load tells it of checkouts
     * @param loaded whether checkouts are still sent
     */
    Live(
            Cluster cluster,
            Injector injector,
            @Nullable AgentSwitch agent,
            List<Arm> arms,
            Set<Fault> possible,
            LiveFigures figures,
            BooleanSupplier loaded) {
        this.cluster = cluster;
        this.injector = injector;
        this.agent = agent;
        this.arms = List.copyOf(arms);
        this.possible = Set.copyOf(possible);
        this.figures = figures;
        this.loaded = loaded;
        this.arm = arms.get(arms.size() - 1);
        var unused = clock.scheduleWithFixedDelay(quietly(this::count), 0, COUNT_EVERY_MILLIS, TimeUnit.MILLISECONDS);
    }

    // --- switching ---------------------------------------------------------------------------------------

    @Override
    public void arm(String label) throws IOException {
        Arm next = named("arm", label, arms, Arm::label);
        synchronized (switching) {
            figures.switched(next, System.nanoTime());
            List<Topology.Node> behind = cluster.switchAgain(cluster.switchTo(next));
            // Again: processes switch one after the other, and all of them may take longer than settling does.
            figures.switched(next, System.nanoTime());
            arm = next;
            if (!behind.isEmpty()) {
                throw new IOException(
                        behind.stream().map(Topology.Node::name).toList() + " did not switch to " + label);
            }
        }
    }

    @Override
    public void fault(String label, boolean on) throws IOException {
        Fault fault = named("fault", label, possible, Fault::label);
        synchronized (switching) {
            Runnable repeats = active.get(fault);
            if (on && repeats == null) {
                injector.begin(fault);
                active.put(fault, repeats(fault));
            } else if (!on && repeats != null) {
                active.remove(fault);
                repeats.run();
                injector.end(fault);
            }
        }
    }

    /** Starts what a fault repeats; what is returned ends that. */
    private Runnable repeats(Fault fault) {
        ScheduledFuture<?> task;
        switch (fault) {
            case PAUSE -> task = every(0, (long) (Injector.PAUSE_EVERY * MILLIS), this::stopForAMoment);
            case RESTART -> task = every(RESTART_EVERY_MILLIS, RESTART_EVERY_MILLIS, this::restart);
            default -> {
                return () -> {};
            }
        }
        return () -> task.cancel(false);
    }

    private void stopForAMoment() throws IOException {
        injector.pause(true);
        var unused = clock.schedule(
                quietly(() -> injector.pause(false)), (long) (Injector.PAUSE * MILLIS), TimeUnit.MILLISECONDS);
    }

    private void restart() throws IOException {
        synchronized (switching) {
            if (active.containsKey(Fault.RESTART)) {
                injector.begin(Fault.RESTART);
            }
        }
    }

    @Override
    public void agent(boolean on) throws IOException {
        if (agent == null) {
            throw new IllegalArgumentException(LiveState.NO_AGENT);
        }
        synchronized (switching) {
            agent.turn(on);
        }
    }

    @Override
    public void forget() {
        figures.forget(System.nanoTime());
    }

    private static <T> T named(String what, String label, Iterable<T> known, Function<T, String> name) {
        List<String> labels = new ArrayList<>();
        for (T one : known) {
            if (name.apply(one).equals(label)) {
                return one;
            }
            labels.add(name.apply(one));
        }
        throw new IllegalArgumentException("no " + what + " '" + label + "' here; there are " + labels);
    }

    // --- looking -----------------------------------------------------------------------------------------

    @Override
    public String state() {
        askedAt = System.nanoTime();
        return new LiveState(
                        arm, arms, Set.copyOf(active.keySet()), possible, agent, served, figures, loaded.getAsBoolean())
                .json();
    }

    /** What the instances that a fault may hit, and those beside them, have served; one that does not answer is left out. */
    private void count() {
        if (System.nanoTime() - askedAt > LOOKING_NANOS) {
            return;
        }
        Map<String, Map<String, Long>> counts = new HashMap<>();
        for (Topology.Node node : cluster.topology().nodes()) {
            Set<String> hit = hit(node);
            if (!hit.isEmpty()) {
                Map<String, Long> of = cluster.control().served(node);
                hit.stream()
                        .filter(of::containsKey)
                        .forEach(service -> counts.computeIfAbsent(service, any -> new HashMap<>())
                                .put(node.name(), of.get(service)));
            }
        }
        served = counts;
    }

    private static Set<String> hit(Topology.Node node) {
        return Stream.of(Fault.values())
                .map(Fault::service)
                .filter(node.services()::contains)
                .collect(Collectors.toSet());
    }

    // --- repeating ---------------------------------------------------------------------------------------

    private ScheduledFuture<?> every(long first, long millis, Cleanup.Step step) {
        return clock.scheduleAtFixedRate(quietly(step), first, millis, TimeUnit.MILLISECONDS);
    }

    private static Runnable quietly(Cleanup.Step step) {
        return () -> {
            try {
                step.run();
            } catch (Exception e) {
                // The process is just being started again, or gone for good; then the page shows it.
            }
        };
    }

    @Override
    public void close() {
        clock.shutdownNow();
    }
}

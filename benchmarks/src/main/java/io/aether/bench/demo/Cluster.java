// SPDX-License-Identifier: Apache-2.0
package io.aether.bench.demo;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/** The gateway and every instance as running processes. Thread-safe after {@link #start}. */
final class Cluster implements AutoCloseable {

    static final int GATEWAY_PORT = 8080;

    /** Where the gateway listens in the demo. */
    static final Topology.Node GATEWAY = new Topology.Node("gateway", List.of(), Topology.LOOPBACK, GATEWAY_PORT);

    /** Processes that start at the same time: more only get in each other's way on few cores. */
    private static final int STARTING = Math.max(2, Runtime.getRuntime().availableProcessors() * 2);

    /** What dozens of processes on few cores can do without. */
    private static final List<String> LEAN = List.of("--management.observations.enable.http=false");

    /** Balancers are compared, not what refuses or holds back requests: all arms send all of theirs. */
    private static final List<String> BALANCERS_ALONE = List.of("--aether.server.mode=off", "--aether.limit.mode=off");

    private final Topology topology;
    private final Topology.Node gateway;
    private final Applications applications;
    private final Launcher launcher;
    private final Control control;
    private final Path discovery;
    private final Path table;
    private final @Nullable NetworkNamespace namespace;
    private final Map<String, Process> processes = new ConcurrentHashMap<>();
    private volatile Arm arm = Arm.APPLICATION;
    private volatile boolean closed;

    /**
     * What starts the applications, without what each is told.
     *
     * @param sample a process of the graph
     * @param gateway the gateway
     */
    record Applications(List<String> sample, List<String> gateway) {

        Applications {
            sample = List.copyOf(sample);
            gateway = List.copyOf(gateway);
        }
    }

    /**
     * @param gateway where the gateway listens
     * @param discovery file with the instances of every service
     * @param table health table that all applications read
     * @param namespace where the instance of the link fault runs, or null
     */
    Cluster(
            Topology topology,
            Topology.Node gateway,
            Applications applications,
            Launcher launcher,
            Control control,
            Path discovery,
            Path table,
            @Nullable NetworkNamespace namespace) {
        this.topology = topology;
        this.gateway = gateway;
        this.applications = applications;
        this.launcher = launcher;
        this.control = control;
        this.discovery = discovery;
        this.table = table;
        this.namespace = namespace;
    }

    /** Starts everything, a few at a time, and returns when all answer; reports how many do. */
    void start(IntConsumer progress) throws IOException {
        Deque<Topology.Node> waiting = new ArrayDeque<>(all());
        List<Topology.Node> starting = new ArrayList<>();
        int healthy = 0;
        while (healthy < all().size()) {
            while (starting.size() < STARTING && !waiting.isEmpty()) {
                Topology.Node node = waiting.remove();
                launch(node);
                starting.add(node);
            }
            Topology.Node first = starting.remove(0);
            try {
                control.awaitHealthy(first, process(first));
            } catch (IOException e) {
                throw new IOException(e.getMessage() + "; see " + launcher.log(first.name()), e);
            }
            progress.accept(++healthy);
        }
    }

    /** Starts one process, or starts it again. */
    synchronized void launch(Topology.Node node) throws IOException {
        if (closed) {
            return;
        }
        List<String> command = new ArrayList<>(node.equals(gateway) ? applications.gateway() : applications.sample());
        command.add("--spring.config.additional-location=file:" + discovery);
        command.add("--server.port=" + node.port());
        command.add("--server.address=" + node.host());
        command.add("--aether.table.path=" + table);
        command.addAll(LEAN);
        command.addAll(BALANCERS_ALONE);
        command.addAll(arm.arguments());
        if (!node.equals(gateway)) {
            command.add("--sample.services=" + String.join(",", node.services()));
        }
        boolean inside = !node.host().equals(Topology.LOOPBACK);
        processes.put(node.name(), launcher.start(node.name(), node.name(), inside ? namespace : null, command));
    }

    /** Switches every process, and those that start from now on; returns those that did not take it. */
    List<Topology.Node> switchTo(Arm next) {
        arm = next;
        return control.switchTo(next, all());
    }

    /** Once more for some of them; returns those that still did not take it. */
    List<Topology.Node> switchAgain(List<Topology.Node> nodes) {
        return control.switchTo(arm, nodes);
    }

    /** What all processes together have hedged. One that was killed takes its count with it. */
    Hedged hedged() {
        return all().stream().map(control::hedged).reduce(Hedged.NONE, Hedged::plus);
    }

    void kill(Topology.Node node) {
        Launcher.end(process(node), true);
    }

    Process process(Topology.Node node) {
        Process process = processes.get(node.name());
        if (process == null) {
            throw new IllegalStateException(node.name() + " was never started");
        }
        return process;
    }

    Collection<Process> processes() {
        return processes.values();
    }

    Topology topology() {
        return topology;
    }

    Control control() {
        return control;
    }

    Topology.Node gateway() {
        return gateway;
    }

    /** Every process that balances or serves: the gateway and all instances. */
    List<Topology.Node> all() {
        List<Topology.Node> all = new ArrayList<>(topology.nodes());
        all.add(gateway);
        return all;
    }

    @Override
    public synchronized void close() {
        closed = true;
        processes.values().forEach(Process::destroyForcibly);
        processes.values().forEach(process -> Launcher.end(process, true));
    }
}

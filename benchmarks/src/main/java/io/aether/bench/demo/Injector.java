// SPDX-License-Identifier: Apache-2.0
package io.aether.bench.demo;

import io.aether.bench.Host;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Injects the faults from outside the services. Used by one thread at a time; {@link #pause} and {@link #close} by any. */
final class Injector implements AutoCloseable {

    /** How long and how often the paused process is stopped, in seconds. */
    static final double PAUSE = 0.3;

    static final double PAUSE_EVERY = 2;

    private static final int NOISY_QUOTA_US = 25_000;

    /**
     * Of a process that starts again, beside all others. It takes seconds of CPU, which elsewhere are its own host's:
     * here they would be a fault of the machine, and all arms' requests would wait for it.
     */
    private static final int STARTING_WEIGHT = 10;

    private static final int USUAL_WEIGHT = 100;

    private final Cluster cluster;
    private final Launcher launcher;
    private final @Nullable Cgroups cgroups;
    private final @Nullable NetworkNamespace namespace;
    private volatile @Nullable Process neighbour;

    Injector(Cluster cluster, Launcher launcher, @Nullable Cgroups cgroups, @Nullable NetworkNamespace namespace) {
        this.cluster = cluster;
        this.launcher = launcher;
        this.cgroups = cgroups;
        this.namespace = namespace;
    }

    void begin(Fault fault) throws IOException {
        Topology.Node node = cluster.topology().node(fault.instance());
        switch (fault) {
            case PAUSE -> {} // Each stop is an event of its own.
            case NOISY -> startNeighbour(node);
            case LINK -> require(namespace).squeeze();
            case ERRORS -> cluster.control().errors(node, true);
            case RESTART -> {
                weigh(node, STARTING_WEIGHT);
                cluster.kill(node);
                cluster.launch(node);
            }
        }
    }

    void end(Fault fault) throws IOException {
        Topology.Node node = cluster.topology().node(fault.instance());
        switch (fault) {
            case PAUSE -> pause(false);
            case NOISY -> stopNeighbour(node);
            case LINK -> require(namespace).release();
            case ERRORS -> cluster.control().errors(node, false);
            case RESTART -> weigh(node, USUAL_WEIGHT); // It is up again by itself.
        }
    }

    /** Stops or continues the instance of the pause fault. */
    void pause(boolean stop) throws IOException {
        long pid =
                cluster.process(cluster.topology().node(Fault.PAUSE.instance())).pid();
        Host.run("kill", stop ? "-STOP" : "-CONT", Long.toString(pid));
    }

    private void weigh(Topology.Node node, int percent) throws IOException {
        if (cgroups != null) {
            cgroups.weight(node.name(), percent);
        }
    }

    private void startNeighbour(Topology.Node node) throws IOException {
        require(cgroups).quota(node.name(), NOISY_QUOTA_US);
        neighbour = launcher.start("neighbour", node.name(), null, List.of("sh", "-c", "while :; do :; done"));
    }

    private void stopNeighbour(Topology.Node node) throws IOException {
        endNeighbour();
        require(cgroups).quota(node.name(), 0);
    }

    private void endNeighbour() {
        Process process = neighbour;
        if (process != null) {
            Launcher.end(process, true);
        }
    }

    private static <T> T require(@Nullable T part) {
        if (part == null) {
            throw new IllegalStateException("this fault needs root");
        }
        return part;
    }

    /** Ends what would outlive the demo; a stopped process dies of the kill all the same. */
    @Override
    public void close() {
        endNeighbour();
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.aether.bench.peers;

import io.aether.bench.Host;
import io.aether.bench.demo.Cgroups;
import io.aether.bench.demo.Launcher;
import io.aether.bench.demo.NetworkNamespace;
import java.io.IOException;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Does something to one server and undoes it. Used by one thread. */
final class Harm implements AutoCloseable {
    private static final int PAUSE_MILLIS = 300;
    private static final int PAUSE_EVERY_MILLIS = 2000;

    /** So long after the block's begin, so that two pauses end within a block of 3 s. */
    private static final int FIRST_PAUSE_MILLIS = 400;

    /** Of 100 ms. */
    private static final int QUOTA_MICROS = 25_000;

    private final Server victim;
    private final Launcher launcher;
    private final @Nullable Cgroups cgroups;
    private final @Nullable NetworkNamespace namespace;
    private volatile @Nullable Process neighbour;
    private volatile @Nullable Thread pauses;

    /** @param namespace of the last server */
    Harm(List<Server> servers, Launcher launcher, @Nullable Cgroups cgroups, @Nullable NetworkNamespace namespace) {
        this.victim = servers.get(0);
        this.launcher = launcher;
        this.cgroups = cgroups;
        this.namespace = namespace;
    }

    /** Whether it can be done here. */
    boolean possible(Fault fault) {
        return !fault.needsRoot() || (cgroups != null && namespace != null);
    }

    void begin(Fault fault) throws IOException {
        switch (fault) {
            case NONE -> {}
            case PAUSE -> startPauses();
            case NOISY -> {
                Objects.requireNonNull(cgroups).quota(victim.name(), QUOTA_MICROS);
                neighbour =
                        launcher.start("neighbour", victim.name(), null, List.of("sh", "-c", "while :; do :; done"));
            }
            case LINK -> Objects.requireNonNull(namespace).squeeze();
            case ERRORS -> victim.errors(true);
            case RESTART -> {
                victim.end();
                victim.start();
            }
        }
    }

    void end(Fault fault) throws IOException, InterruptedException {
        switch (fault) {
            case NONE, RESTART -> {} // It is up again by itself.
            case PAUSE -> endPauses();
            case NOISY -> {
                endNeighbour();
                Objects.requireNonNull(cgroups).quota(victim.name(), 0);
            }
            case LINK -> Objects.requireNonNull(namespace).release();
            case ERRORS -> victim.errors(false);
        }
    }

    private void startPauses() {
        Thread thread = new Thread(this::pause, "pauses");
        thread.setDaemon(true);
        pauses = thread;
        thread.start();
    }

    private void pause() {
        try {
            Thread.sleep(FIRST_PAUSE_MILLIS);
            while (true) {
                signal("-STOP");
                Thread.sleep(PAUSE_MILLIS);
                signal("-CONT");
                Thread.sleep(PAUSE_EVERY_MILLIS - PAUSE_MILLIS);
            }
        } catch (InterruptedException e) {
            // The block is over; whoever ended it lets the server go on.
        } catch (IOException e) {
            if (!Thread.currentThread().isInterrupted()) {
                System.err.println("peers: no pauses: " + e.getMessage());
            }
        }
    }

    private void endPauses() throws IOException, InterruptedException {
        Thread thread = pauses;
        if (thread != null) {
            thread.interrupt();
            thread.join();
            pauses = null;
            signal("-CONT");
        }
    }

    private void signal(String signal) throws IOException {
        Host.run("kill", signal, Long.toString(victim.process().pid()));
    }

    private void endNeighbour() {
        Process process = neighbour;
        if (process != null) {
            Launcher.end(process, true);
        }
    }

    /** Ends what would outlive the benchmark. */
    @Override
    public void close() {
        Thread thread = pauses;
        if (thread != null) {
            thread.interrupt();
        }
        endNeighbour();
    }
}

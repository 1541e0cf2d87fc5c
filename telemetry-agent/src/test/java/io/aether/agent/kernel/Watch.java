// SPDX-License-Identifier: Apache-2.0
package io.aether.agent.kernel;

import io.aether.agent.bpf.KernelProbes;
import io.aether.agent.bpf.ProbeSettings;
import io.aether.agent.bpf.ProbeStatus;
import io.aether.core.NanoClock;
import io.aether.core.table.EndpointAddress;
import io.aether.core.table.EndpointHealth;
import io.aether.core.table.HealthTable;
import io.aether.core.table.TableException;
import io.aether.core.table.TableLayout;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/** Attached probes that write a table of their own, and a reader of it; closing it detaches and removes everything. */
final class Watch implements AutoCloseable {
    private final Path directory;
    private final KernelProbes probes;
    private final List<ProbeStatus> statuses;
    private final HealthTable table;

    Watch() {
        this(Area.directory(), UnaryOperator.identity());
    }

    /**
     * @param cgroup what to watch
     * @param change applied to the default settings
     */
    Watch(Path cgroup, UnaryOperator<ProbeSettings> change) {
        try {
            directory = Files.createTempDirectory("aether-it");
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
        Path file = directory.resolve("health");
        KernelProbes opened = null;
        try {
            opened = KernelProbes.open(change.apply(ProbeSettings.defaults(file, cgroup)));
            statuses = opened.attach();
            opened.startPump();
            table = HealthTable.open(file, NanoClock.system());
        } catch (TableException | RuntimeException e) {
            if (opened != null) {
                opened.close();
            }
            removeFiles();
            throw new IllegalStateException(e);
        }
        probes = opened;
    }

    List<ProbeStatus> statuses() {
        return statuses;
    }

    KernelProbes probes() {
        return probes;
    }

    /** Where applications publish their queues. */
    Path applications() {
        return directory.resolve("apps");
    }

    /** A server as the clients in a namespace see it; empty when unknown. */
    EndpointHealth peer(Namespace clients, String server, int port) {
        return read(clients, server, port, TableLayout.KIND_PEER);
    }

    /** A listener on any address; empty when unknown. */
    EndpointHealth local(Namespace servers, int port) {
        return read(servers, "::", port, TableLayout.KIND_LOCAL);
    }

    private EndpointHealth read(Namespace namespace, String host, int port, int kind) {
        EndpointAddress address = Objects.requireNonNull(EndpointAddress.parse(host, port));
        EndpointHealth health = new EndpointHealth();
        long netns = namespace.inode();
        int slot = table.find(netns, address.hi(), address.lo(), port, kind);
        table.read(slot, netns, address.hi(), address.lo(), port, kind, health);
        return health;
    }

    @Override
    public void close() {
        probes.close();
        table.close();
        removeFiles();
    }

    private void removeFiles() {
        try {
            removeApplications();
            Files.deleteIfExists(directory.resolve("health"));
            Files.delete(directory);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Of processes that still run. */
    private void removeApplications() throws IOException {
        if (!Files.exists(applications())) {
            return;
        }
        try (Stream<Path> files = Files.list(applications())) {
            for (Path file : files.toList()) {
                Files.delete(file);
            }
        }
        Files.delete(applications());
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.aether.bench.peers;

import io.aether.bench.Cleanup;
import io.aether.bench.Host;
import io.aether.bench.PrerequisiteException;
import io.aether.bench.Progress;
import io.aether.bench.dag.Room;
import io.aether.bench.demo.Agent;
import io.aether.bench.demo.Cgroups;
import io.aether.bench.demo.Control;
import io.aether.bench.demo.Images;
import io.aether.bench.demo.Launcher;
import io.aether.bench.demo.Leftovers;
import io.aether.bench.demo.NetworkNamespace;
import io.aether.bench.demo.Preflight;
import io.aether.bench.demo.Stage;
import io.aether.bench.demo.Topology;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Everything that runs: servers, one of them behind a link that can be squeezed; the agent and the proxies, where there are any;
 * and a process of clients for each policy. Undone by the {@link Cleanup} it was given.
 */
final class Site {
    /** As many as a service of some size has; one that fails leaves the rest with room. */
    static final int SERVERS = 5;

    private static final int FIRST_PORT = 18_700;
    private static final int HAPROXY_PORT = 18_750;
    private static final int NGINX_PORT = 18_751;

    private final List<Server> servers = new ArrayList<>();
    private final Map<Policy, Party> parties = new EnumMap<>(Policy.class);
    private final Path home;
    private final Path directory;
    private final Cleanup cleanup;
    private final Progress progress;
    private final Launcher launcher;
    private final @Nullable Cgroups cgroups;
    private final @Nullable NetworkNamespace namespace;

    private Site(Path home, Cleanup cleanup, Progress progress) throws IOException {
        this.home = home;
        this.directory = home.resolve("target/peers");
        this.cleanup = cleanup;
        this.progress = progress;
        if (Host.root()) {
            Leftovers.remove();
            Cgroups made = Cgroups.create(Room.name());
            cleanup.add(made::close);
            NetworkNamespace link =
                    NetworkNamespace.create(ProcessHandle.current().pid());
            cleanup.add(link::close);
            cgroups = made;
            namespace = link;
        } else {
            cgroups = null;
            namespace = null;
        }
        launcher = new Launcher(cgroups, directory.resolve("logs"));
    }

    /** Starts what those policies need; who cannot be there is left out, with a line that says why. */
    static Site build(Path home, List<Policy> policies, Cleanup cleanup, Progress progress)
            throws IOException, PrerequisiteException, InterruptedException {
        Site site = new Site(home, cleanup, progress);
        Path table = site.table();
        boolean kernel = policies.contains(Policy.AETHER_KERNEL) && site.startAgent(table);
        site.startServers();
        for (Policy policy : policies) {
            if (policy != Policy.AETHER_KERNEL || kernel) {
                site.admit(policy, table);
            }
        }
        for (Party party : site.parties.values()) {
            party.await();
        }
        return site;
    }

    private void startServers() throws IOException, PrerequisiteException, InterruptedException {
        for (int i = 0; i < SERVERS; i++) {
            boolean linked = namespace != null && i == SERVERS - 1;
            String host = linked ? Objects.requireNonNull(namespace).address() : Topology.LOOPBACK;
            int port = FIRST_PORT + i;
            if (!linked) {
                Preflight.checkFree(port, "a server");
            }
            Server server =
                    new Server("server-" + i, new InetSocketAddress(host, port), launcher, linked ? namespace : null);
            cleanup.add(server::end);
            server.start();
            servers.add(server);
        }
        for (Server server : servers) {
            server.await();
        }
    }

    /** Health table of this run alone, in shared memory so that its pages are never written to a disk. */
    private Path table() throws IOException {
        Path place = Files.isWritable(Stage.SHARED) ? Stage.SHARED : directory;
        Path tables = Files.createDirectories(place.resolve(Room.name()));
        cleanup.add(() -> Images.delete(tables));
        return tables.resolve("health");
    }

    private void admit(Policy policy, Path table) throws InterruptedException {
        progress.update("starting " + policy.label());
        try {
            Party party =
                    Party.start(policy, policy.proxy() ? List.of(startProxy(policy)) : addresses(), table, launcher);
            cleanup.add(party::end);
            parties.put(policy, party);
        } catch (IOException | PrerequisiteException e) {
            skip(policy, String.valueOf(e.getMessage()));
        }
    }

    private void skip(Policy policy, String reason) {
        progress.line("skipped " + policy.label() + ": " + reason);
    }

    /** Before anything that it watches. It does so in every policy's turns, whether that one makes use of it or not. */
    private boolean startAgent(Path table) {
        if (cgroups == null) {
            skip(Policy.AETHER_KERNEL, "the agent needs root");
            return false;
        }
        progress.update("starting the agent");
        Control control = new Control();
        try {
            Agent agent =
                    Agent.start(Images.executable(home, "telemetry-agent"), table, cgroups.parent(), launcher, control);
            cleanup.add(agent::close);
            if (Agent.degraded(control)) {
                progress.line("some kernel signals are missing: the agent's log and /actuator/health say why");
            }
            return true;
        } catch (IOException | PrerequisiteException e) {
            skip(Policy.AETHER_KERNEL, String.valueOf(e.getMessage()));
            return false;
        }
    }

    private InetSocketAddress startProxy(Policy policy)
            throws IOException, PrerequisiteException, InterruptedException {
        int port = policy == Policy.HAPROXY ? HAPROXY_PORT : NGINX_PORT;
        Preflight.checkFree(port, policy.label());
        Process process =
                Proxy.find(policy, directory.resolve("proxies")).start(port, addresses(), directory, launcher);
        cleanup.add(() -> Launcher.end(process, true));
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
    }

    private List<InetSocketAddress> addresses() {
        return servers.stream().map(Server::address).toList();
    }

    /** The policies that can play. */
    List<Policy> policies() {
        return List.copyOf(parties.keySet());
    }

    Party party(Policy policy) {
        return Objects.requireNonNull(parties.get(policy));
    }

    /** What can go wrong here. */
    Harm harm() {
        return new Harm(servers, launcher, cgroups, namespace);
    }

    /** Waits until all servers serve again. */
    void await() throws IOException, InterruptedException {
        for (Server server : servers) {
            server.await();
        }
    }
}

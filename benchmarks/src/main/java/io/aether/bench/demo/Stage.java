// SPDX-License-Identifier: Apache-2.0
package io.aether.bench.demo;

import io.aether.bench.Cleanup;
import io.aether.bench.Host;
import io.aether.bench.PrerequisiteException;
import io.aether.bench.Progress;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Everything that runs during the demo. What is built here is undone by the {@link Cleanup} it was given. */
public final class Stage {

    /** Memory that looks like files, if the system has it there. */
    public static final Path SHARED = Path.of("/dev/shm");

    private final Cluster cluster;
    private final Injector injector;
    private final @Nullable AgentSwitch agent;
    private final List<Arm> arms;

    private Stage(Cluster cluster, Injector injector, @Nullable AgentSwitch agent, List<Arm> arms) {
        this.cluster = cluster;
        this.injector = injector;
        this.agent = agent;
        this.arms = arms;
    }

    static Stage build(Path home, Path directory, DemoOptions options, Cleanup cleanup, Progress progress)
            throws IOException, PrerequisiteException {
        return new Builder(home, directory, options, cleanup, progress).build();
    }

    Cluster cluster() {
        return cluster;
    }

    Injector injector() {
        return injector;
    }

    /** The arms that can run here. */
    List<Arm> arms() {
        return arms;
    }

    Collection<Process> processes() {
        List<Process> processes = new ArrayList<>(cluster.processes());
        if (agent != null) {
            agent.process().ifPresent(processes::add);
        }
        return processes;
    }

    /** True once, when the agent has ended by itself. */
    boolean agentDied() {
        return agent != null && agent.died();
    }

    /** What ends the agent and starts it again; null where there is none. */
    @Nullable
    AgentSwitch agent() {
        return agent;
    }

    /** Of all processes together; reading it holds each of them for a moment, so not while latency counts. */
    long mebibytes() {
        return Memory.mebibytes(processes());
    }

    /** Builds bottom-up: cgroups and namespace, agent, processes, and last the question which arms they support. */
    private static final class Builder {

        private final long id = ProcessHandle.current().pid();
        private final Control control = new Control();
        private final Path home;
        private final Path directory;
        private final DemoOptions options;
        private final Cleanup cleanup;
        private final Progress progress;

        Builder(Path home, Path directory, DemoOptions options, Cleanup cleanup, Progress progress) {
            this.home = home;
            this.directory = directory;
            this.options = options;
            this.cleanup = cleanup;
            this.progress = progress;
        }

        Stage build() throws IOException, PrerequisiteException {
            boolean root = Host.root();
            boolean kernel = root && options.kernel();
            if (root) {
                int demos = Leftovers.remove();
                if (demos > 0) {
                    progress.line("removed what %d killed demo(s) left behind".formatted(demos));
                }
            }
            Preflight.checkPorts(Topology.of(Map.of()), kernel, options.keep());
            if (root) {
                Preflight.checkTools(List.of("ip", "tc", "nsenter", "kill"));
            }
            progress.update("preparing the applications");
            Images images = Images.prepare(home, directory.resolve("applications"), control, cleanup);
            String name = Leftovers.PREFIX + id;
            Cgroups cgroups = root ? Cgroups.create(name) : null;
            NetworkNamespace namespace = root ? NetworkNamespace.create(id) : null;
            if (cgroups != null && namespace != null) {
                cleanup.add(cgroups::close);
                cleanup.add(namespace::close);
            }
            Path table = table(name);
            Launcher launcher = new Launcher(cgroups, directory.resolve("logs"));
            AgentSwitch agent = kernel && cgroups != null ? agent(table, cgroups, launcher) : null;
            Topology topology =
                    Topology.of(namespace == null ? Map.of() : Map.of(Fault.LINK.instance(), namespace.address()));
            Path discovery = topology.write(directory.resolve("instances.properties"));
            Cluster cluster = new Cluster(
                    topology, Cluster.GATEWAY, applications(images), launcher, control, discovery, table, namespace);
            cleanup.add(cluster::close);
            Injector injector = new Injector(cluster, launcher, cgroups, namespace);
            cleanup.add(injector::close);
            int all = cluster.all().size();
            cluster.start(healthy -> progress.update("healthy: %d of %d processes".formatted(healthy, all)));
            List<Arm> arms = arms(cluster, agent != null);
            warm(cluster);
            return new Stage(cluster, injector, agent, arms);
        }

        /** A few checkouts at a time until they are quick: cold processes would drown in an open load. */
        private void warm(Cluster cluster) throws IOException {
            Warmup warmup = new Warmup(() -> control.checkout(cluster.gateway()));
            cleanup.add(warmup::close);
            warmup.run((made, millis) -> progress.update("warming: checkout %d took %d ms".formatted(made, millis)));
        }

        /** Health table of this demo alone, in shared memory so that its pages are never written to a disk. */
        private Path table(String name) throws IOException {
            Path directory = Files.createDirectories(
                    (Files.isWritable(SHARED) ? SHARED : Path.of(System.getProperty("java.io.tmpdir"))).resolve(name));
            Path table = directory.resolve("health");
            cleanup.add(() -> Images.delete(directory));
            return table;
        }

        private Cluster.Applications applications(Images images) {
            List<String> gateway = new ArrayList<>(images.gatewayCommand());
            gateway.add("--gateway.page.agent=http://" + Topology.LOOPBACK + ":" + Agent.PORT);
            gateway.add("--gateway.page.demo=http://" + Topology.LOOPBACK + ":" + LiveServer.PORT);
            return new Cluster.Applications(images.sampleCommand(), gateway);
        }

        private @Nullable AgentSwitch agent(Path table, Cgroups cgroups, Launcher launcher) {
            progress.update("starting the agent");
            try {
                Path jar = Images.executable(home, "telemetry-agent");
                AgentSwitch agent = new AgentSwitch(() -> Agent.start(jar, table, cgroups.parent(), launcher, control));
                cleanup.add(agent::close);
                agent.turn(true);
                if (Agent.degraded(control)) {
                    progress.line("some kernel signals are missing: the agent's log and /actuator/health say why");
                }
                return agent;
            } catch (IOException | PrerequisiteException e) {
                progress.line("no kernel signals: " + e.getMessage());
                return null;
            }
        }

        private List<Arm> arms(Cluster cluster, boolean agent) {
            if (!cluster.switchTo(Arm.APPLICATION).isEmpty()) {
                progress.line("the processes have no actuator endpoint 'aether': only Spring's round robin runs");
                return List.of(Arm.ROUND_ROBIN);
            }
            List<Arm> arms = new ArrayList<>(List.of(Arm.ROUND_ROBIN, Arm.APPLICATION));
            if (agent) {
                arms.add(Arm.KERNEL);
            }
            if (agent && options.hedge()) {
                arms.add(Arm.KERNEL_HEDGE);
            }
            return arms;
        }
    }
}

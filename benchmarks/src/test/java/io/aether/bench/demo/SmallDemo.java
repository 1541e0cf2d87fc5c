// SPDX-License-Identifier: Apache-2.0
package io.aether.bench.demo;

import io.aether.bench.Cleanup;
import io.aether.bench.Host;
import io.aether.bench.PrerequisiteException;
import io.aether.sample.Graph;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The parts of a kept demo with few processes: the gateway, one that serves the whole graph, and beside it the instance that
 * the pause hits; as root also the agent. Three checkouts a second come whatever the answers do.
 */
final class SmallDemo implements AutoCloseable {

    private static final Path HOME = Path.of("..").toAbsolutePath().normalize();
    private static final double RATE = 3;
    private static final List<String> JVM =
            List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xss256k", "-Xshare:auto");

    private final Cleanup cleanup = new Cleanup(System.err);
    private final Control control = new Control();
    private final Path directory;
    private final Topology.Node gateway = new Topology.Node("gateway", List.of(), Topology.LOOPBACK, freePort());
    private final int livePort = freePort();
    private final List<Arm> arms = new ArrayList<>(List.of(Arm.ROUND_ROBIN, Arm.APPLICATION));
    private final Topology topology = new Topology(List.of(
            new Topology.Node(Fault.PAUSE.instance(), List.of(Fault.PAUSE.service()), Topology.LOOPBACK, freePort()),
            new Topology.Node("rest-1", List.copyOf(Graph.services().keySet()), Topology.LOOPBACK, freePort())));

    private @Nullable Cluster cluster;

    SmallDemo(Path directory) throws IOException {
        this.directory = directory;
    }

    void start() throws Exception {
        try {
            build();
        } catch (Exception e) {
            close();
            throw e;
        }
    }

    private void build() throws Exception {
        Cgroups cgroups = Host.root()
                ? Cgroups.create("aether-live-" + ProcessHandle.current().pid())
                : null;
        if (cgroups != null) {
            cleanup.add(cgroups::close);
        }
        Launcher launcher = new Launcher(cgroups, directory.resolve("logs"));
        Path table = Files.createDirectory(directory.resolve("table")).resolve("health");
        AgentSwitch agent = null;
        if (cgroups != null) {
            Path jar = Images.executable(HOME, "telemetry-agent");
            agent = new AgentSwitch(() -> Agent.start(jar, table, cgroups.parent(), launcher, control));
            cleanup.add(agent::close);
            agent.turn(true);
            arms.add(Arm.KERNEL);
        }
        Path discovery = topology.write(directory.resolve("instances.properties"));
        Cluster started = new Cluster(topology, gateway, applications(), launcher, control, discovery, table, null);
        cluster = started;
        cleanup.add(started::close);
        started.start(healthy -> {});
        Arm arm = arms.get(arms.size() - 1);
        started.switchTo(arm);
        LiveFigures figures = new LiveFigures(RATE, arm, System.nanoTime());
        load(figures);
        Injector injector = new Injector(started, launcher, cgroups, null);
        cleanup.add(injector::close);
        Live live = new Live(started, injector, agent, arms, EnumSet.of(Fault.PAUSE), figures, () -> true);
        cleanup.add(live::close);
        cleanup.add(LiveServer.start(livePort, live)::close);
    }

    private Cluster.Applications applications() throws IOException, PrerequisiteException {
        List<String> front = new ArrayList<>(command("gateway"));
        front.add("--gateway.page.agent=http://" + Topology.LOOPBACK + ":" + Agent.PORT);
        front.add("--gateway.page.demo=http://" + Topology.LOOPBACK + ":" + livePort);
        return new Cluster.Applications(command("sample-services"), front);
    }

    private static List<String> command(String module) throws IOException, PrerequisiteException {
        List<String> command = new ArrayList<>(List.of(Images.java()));
        command.addAll(JVM);
        command.addAll(List.of("-jar", Images.executable(HOME, module).toString()));
        return command;
    }

    private void load(LiveFigures figures) {
        ScheduledExecutorService clock = Executors.newScheduledThreadPool(16);
        cleanup.add(clock::shutdownNow);
        AtomicLong index = new AtomicLong();
        var unused = clock.scheduleAtFixedRate(
                () -> clock.execute(() -> {
                    long number = index.getAndIncrement();
                    long sent = System.nanoTime();
                    boolean ok = control.checkout(gateway);
                    figures.add(new Checkout(number, sent, System.nanoTime(), ok));
                }),
                0,
                (long) (1000 / RATE),
                TimeUnit.MILLISECONDS);
    }

    String page() {
        return gateway.url("/");
    }

    boolean hasAgent() {
        return arms.contains(Arm.KERNEL);
    }

    /** The arm that does best here. */
    String aether() {
        return arms.get(arms.size() - 1).label();
    }

    /** The gateway's own account of how it balances. */
    String report() throws IOException {
        return control.get(gateway.url("/actuator/aether")).body();
    }

    String graph() throws IOException {
        return control.get(gateway.url("/live/graph")).body();
    }

    void stopGateway(boolean stop) throws IOException {
        Cluster running = cluster;
        if (running != null) {
            Host.run(
                    "kill",
                    stop ? "-STOP" : "-CONT",
                    Long.toString(running.process(gateway).pid()));
        }
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    @Override
    public void close() {
        cleanup.close();
    }
}

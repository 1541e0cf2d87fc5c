// SPDX-License-Identifier: Apache-2.0
package io.aether.bench.dag;

import io.aether.bench.Cleanup;
import io.aether.bench.Host;
import io.aether.bench.PrerequisiteException;
import io.aether.bench.Progress;
import io.aether.bench.demo.Agent;
import io.aether.bench.demo.Cgroups;
import io.aether.bench.demo.Control;
import io.aether.bench.demo.Images;
import io.aether.bench.demo.Launcher;
import io.aether.bench.demo.Leftovers;
import io.aether.bench.demo.Preflight;
import io.aether.bench.demo.Stage;
import io.aether.bench.demo.Topology;
import io.aether.bench.demo.Topology.Node;
import io.aether.bench.demo.Warmup;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The graph as running processes, with the agent where this process is root. Undone by the {@link Cleanup} it was given. */
final class Site {

    private static final List<String> LEAN = List.of(
            "--management.observations.enable.http=false",
            "--management.endpoints.web.exposure.include=health,aether,aetherserver");

    /** Processes that start at the same time: more only get in each other's way. */
    private static final int STARTING = 2 * Runtime.getRuntime().availableProcessors();

    /** What takes so long is not warm, whatever it is. */
    private static final Duration WARM = Duration.ofSeconds(1);

    private final Control control = new Control();
    private final Topology topology = Places.topology();
    private final Map<Node, Process> processes = new LinkedHashMap<>();
    private final Path home;
    private final Path directory;
    private final Path discovery;
    private final Path routes;
    private final Cleanup cleanup;
    private final Progress progress;
    private boolean kernel;

    private Site(Path home, Path directory, Cleanup cleanup, Progress progress) {
        this.home = home;
        this.discovery = directory.resolve("overload-instances.properties");
        this.routes = directory.resolve("overload-routes.properties");
        this.directory = directory;
        this.cleanup = cleanup;
        this.progress = progress;
    }

    /** Starts everything and warms it up. */
    static Site build(Path home, Path directory, Cleanup cleanup, Progress progress)
            throws IOException, PrerequisiteException {
        Site site = new Site(home, directory, cleanup, progress);
        site.build();
        return site;
    }

    private void build() throws IOException, PrerequisiteException {
        boolean root = Host.root();
        if (root) {
            Leftovers.remove();
        }
        for (Node node : all()) {
            Preflight.checkFree(node.port(), node.name());
        }
        progress.update("preparing the applications");
        Images images = Images.prepare(home, directory.resolve("applications"), control, cleanup);
        String name = Room.name();
        Cgroups cgroups = root ? Cgroups.create(name) : null;
        if (cgroups != null) {
            cleanup.add(cgroups::close);
        }
        Launcher launcher = new Launcher(cgroups, directory.resolve("logs"));
        Path table = table(name);
        startAgent(table, cgroups, launcher);
        start(images, launcher, table);
        warm();
    }

    /** Health table of this run alone, in shared memory so that its pages are never written to a disk. */
    private Path table(String name) throws IOException {
        Path place = Files.isWritable(Stage.SHARED) ? Stage.SHARED : directory;
        Path tables = Files.createDirectories(place.resolve(name));
        cleanup.add(() -> Images.delete(tables));
        return tables.resolve("health");
    }

    private void startAgent(Path table, @Nullable Cgroups cgroups, Launcher launcher) throws PrerequisiteException {
        if (cgroups == null) {
            progress.line("not root: no agent, and no marks; refusals are all that limiters hear");
            return;
        }
        progress.update("starting the agent");
        try {
            Path jar = Images.executable(home, "telemetry-agent");
            Agent agent = Agent.start(jar, table, cgroups.parent(), launcher, control);
            cleanup.add(agent::close);
            kernel = true;
        } catch (IOException e) {
            progress.line("no agent, and no marks: " + e.getMessage());
        }
    }

    private void start(Images images, Launcher launcher, Path table) throws IOException {
        topology.write(discovery);
        Places.writeRoutes(routes);
        List<Node> starting = new ArrayList<>();
        for (Node node : all()) {
            if (starting.size() == STARTING) {
                await(starting.remove(0), launcher);
            }
            Process process = launcher.start(node.name(), node.name(), null, command(node, images, table));
            cleanup.add(() -> Launcher.end(process, true));
            processes.put(node, process);
            starting.add(node);
        }
        for (Node node : starting) {
            await(node, launcher);
        }
    }

    private List<String> command(Node node, Images images, Path table) throws IOException {
        boolean gateway = node.equals(Places.GATEWAY);
        List<String> command = new ArrayList<>(gateway ? images.gatewayCommand() : images.sampleCommand());
        command.add("--spring.config.additional-location=file:" + discovery + (gateway ? ",file:" + routes : ""));
        command.add("--server.port=" + node.port());
        command.add("--server.address=" + node.host());
        command.add("--aether.table.path=" + table);
        command.addAll(LEAN);
        command.addAll(Places.arguments(node));
        return command;
    }

    private void await(Node node, Launcher launcher) throws IOException {
        try {
            control.awaitHealthy(node, Objects.requireNonNull(processes.get(node)));
        } catch (IOException e) {
            throw new IOException(e.getMessage() + "; see " + launcher.log(node.name()), e);
        }
        progress.update("healthy: %s, process %d of %d".formatted(node.name(), processes.size(), all().size()));
    }

    /** All kinds of requests, a few at a time: a cold process would be the overload. */
    private void warm() throws IOException {
        switchTo(Limits.OFF);
        AtomicInteger made = new AtomicInteger();
        Flow[] flows = Flow.values();
        Warmup warmup = new Warmup(() -> succeeds(flows[made.getAndIncrement() % flows.length]), WARM);
        cleanup.add(warmup::close);
        warmup.run((count, millis) -> progress.update("warming: request %d took %d ms".formatted(count, millis)));
    }

    private boolean succeeds(Flow flow) {
        try {
            return control.get(url() + flow.path()).statusCode() == 200;
        } catch (IOException e) {
            return false;
        }
    }

    /** The gateway's address. */
    String url() {
        return Places.GATEWAY.url("");
    }

    /** Whether the kernel marks. */
    boolean kernel() {
        return kernel;
    }

    /** Switches limiters and refusals in every process. */
    void switchTo(Limits limits) throws IOException {
        for (Node node : all()) {
            boolean done = control.posted(node.url("/actuator/aether"), "{\"limit\":\"%s\"}".formatted(limits.label()))
                    && control.posted(
                            node.url("/actuator/aetherserver"), "{\"mode\":\"%s\"}".formatted(limits.label()));
            if (!done) {
                throw new IOException(node.name() + " did not switch its limits " + limits.label());
            }
        }
    }

    /** Calls whose own work was done so far, in all processes. */
    long callsDone() {
        return topology.nodes().stream()
                .flatMap(node -> control.done(node).values().stream())
                .mapToLong(Long::longValue)
                .sum();
    }

    /** Segments that the kernel marked on the answers of the overloaded process so far; 0 without the agent. */
    long marks() throws IOException {
        if (!kernel) {
            return 0;
        }
        String endpoint = ":" + topology.instances(Places.SLOW).get(0).port() + "\"";
        return control.get("http://" + Topology.LOOPBACK + ":" + Agent.PORT + "/actuator/prometheus")
                .body()
                .lines()
                .filter(line -> line.startsWith("aether_endpoint_marked_segments_total{") && line.contains(endpoint))
                .mapToLong(line -> (long) Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
                .sum();
    }

    private List<Node> all() {
        return Stream.concat(topology.nodes().stream(), Stream.of(Places.GATEWAY))
                .toList();
    }
}

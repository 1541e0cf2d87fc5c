// SPDX-License-Identifier: Apache-2.0
package io.aether.bench.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.aether.bench.Cleanup;
import io.aether.bench.Host;
import io.aether.sample.Graph;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The real gateway before the real services, as processes, driven through the demo's own parts. */
class DemoIT {

    private static final Path HOME = Path.of("..").toAbsolutePath().normalize();

    private final Cleanup cleanup = new Cleanup(System.err);
    private final Control control = new Control();

    @TempDir
    private Path directory;

    @AfterEach
    void end() {
        cleanup.close();
    }

    @Test
    void aCheckoutThroughTheGatewayIs45CallsInEveryArm() throws Exception {
        Topology.Node services = node("services", List.copyOf(Graph.services().keySet()));
        Topology.Node gateway = node("gateway", List.of());
        Path discovery = new Topology(List.of(services)).write(directory.resolve("instances.properties"));
        Process first = start("sample-services", services, discovery);
        Process second = start("gateway", gateway, discovery);
        control.awaitHealthy(services, first);
        control.awaitHealthy(gateway, second);
        long expected = 0;
        for (Arm arm : Arm.values()) {
            assertThat(control.switchTo(arm, List.of(services, gateway))).isEmpty();
            assertThat(control.get(gateway.url("/checkout")).statusCode()).isEqualTo(200);
            expected += 45;
            awaitServed(services, expected);
        }
        control.errors(services, true);
        assertThat(control.get(gateway.url("/checkout")).statusCode()).isEqualTo(500);
        Launcher.end(first, true);
        assertThat(control.healthy(services)).isFalse();
        assertThat(control.served(services)).isEqualTo(Map.of());
        assertThatThrownBy(() -> control.awaitHealthy(services, first)).hasMessageContaining("services ended");
    }

    @Test
    void theLoadReportsEveryCheckoutAndFailuresApart() throws Exception {
        Topology.Node services = node("services", List.of("catalog"));
        Path discovery = new Topology(List.of(services)).write(directory.resolve("instances.properties"));
        control.awaitHealthy(services, start("sample-services", services, discovery));
        Results results = new Results(10);
        Schedule schedule = new Schedule(1, List.of(new Schedule.Block(Arm.ROUND_ROBIN, 1, 2)), List.of());
        Load load = Load.start(services.url(""), 10, schedule, directory, results::add);
        cleanup.add(load::close);
        load.finish(30);
        assertThat(results.size()).isEqualTo(30);
        assertThat(results.timed(results.t0(3))).allSatisfy(checkout -> {
            assertThat(checkout.ok()).as("/checkout is not served here").isFalse();
            assertThat(checkout.second()).isBetween(0.0, 3.0);
        });
    }

    @Test
    void checkoutsGoOnWhenTheAgentDies() throws Exception {
        assumeTrue(Host.root(), "needs root: the agent loads kernel programs");
        Cgroups cgroups =
                Cgroups.create("aether-agent-death-" + ProcessHandle.current().pid());
        cleanup.add(cgroups::close);
        Launcher launcher = new Launcher(cgroups, directory);
        Path table = Files.createDirectory(directory.resolve("table")).resolve("health");
        Agent agent =
                Agent.start(Images.executable(HOME, "telemetry-agent"), table, cgroups.parent(), launcher, control);
        cleanup.add(agent::close);
        Topology.Node services = node("services", List.copyOf(Graph.services().keySet()));
        Topology.Node gateway = node("gateway", List.of());
        Path discovery = new Topology(List.of(services)).write(directory.resolve("instances.properties"));
        String option = "--aether.table.path=" + table;
        control.awaitHealthy(services, start(launcher, "sample-services", services, discovery, option));
        control.awaitHealthy(gateway, start(launcher, "gateway", gateway, discovery, option));
        assertThat(control.switchTo(Arm.KERNEL, List.of(services, gateway))).isEmpty();
        checkoutsUntil(gateway, "\"state\":\"live\"");
        assertThat(agent.died()).isFalse();

        agent.process().destroyForcibly().waitFor();

        checkoutsUntil(gateway, "\"state\":\"stale\"");
        assertThat(agent.died()).as("told once").isTrue();
        assertThat(agent.died()).as("told again").isFalse();
        assertThat(control.get(gateway.url("/checkout")).statusCode()).isEqualTo(200);
    }

    /** Makes checkouts, none of which may fail, until the gateway's report holds {@code text}. */
    private void checkoutsUntil(Topology.Node gateway, String text) throws Exception {
        String report = "";
        for (int i = 0; i < 100 && !report.contains(text); i++) {
            assertThat(control.get(gateway.url("/checkout")).statusCode()).isEqualTo(200);
            report = control.get(gateway.url("/actuator/aether")).body();
        }
        assertThat(report).contains(text);
    }

    private Process start(String module, Topology.Node node, Path discovery) throws Exception {
        return start(new Launcher(null, directory), module, node, discovery, "--aether.table.path=/nonexistent/health");
    }

    private Process start(Launcher launcher, String module, Topology.Node node, Path discovery, String option)
            throws Exception {
        Process process = launcher.start(
                node.name(),
                node.name(),
                null,
                List.of(
                        Images.java(),
                        "-XX:TieredStopAtLevel=1",
                        "-jar",
                        Images.executable(HOME, module).toString(),
                        "--spring.config.additional-location=file:" + discovery,
                        "--server.port=" + node.port(),
                        "--sample.services=" + String.join(",", node.services()),
                        option));
        cleanup.add(() -> Launcher.end(process, true));
        return process;
    }

    private void awaitServed(Topology.Node node, long expected) throws Exception {
        long served = 0;
        for (int i = 0; i < 100 && served < expected; i++) {
            Thread.sleep(50);
            served = control.served(node).values().stream()
                    .mapToLong(Long::longValue)
                    .sum();
        }
        // The gateway's own call arrives as the checkout's request.
        assertThat(served).isEqualTo(expected);
    }

    private static Topology.Node node(String name, List<String> services) throws Exception {
        try (ServerSocket socket = new ServerSocket(0)) {
            return new Topology.Node(name, services, Topology.LOOPBACK, socket.getLocalPort());
        }
    }
}

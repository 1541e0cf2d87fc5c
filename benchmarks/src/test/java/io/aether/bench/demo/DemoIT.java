// SPDX-License-Identifier: Apache-2.0
package io.aether.bench.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.aether.sample.Graph;
import java.net.ServerSocket;
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
        Load load = Load.start(services.url(""), 10, schedule, directory, results);
        cleanup.add(load::close);
        load.finish(30);
        assertThat(results.size()).isEqualTo(30);
        assertThat(results.timed(results.t0(3))).allSatisfy(checkout -> {
            assertThat(checkout.ok()).as("/checkout is not served here").isFalse();
            assertThat(checkout.second()).isBetween(0.0, 3.0);
        });
    }

    private Process start(String module, Topology.Node node, Path discovery) throws Exception {
        Process process = new Launcher(null, directory)
                .start(
                        node.name(),
                        null,
                        null,
                        List.of(
                                Images.java(),
                                "-XX:TieredStopAtLevel=1",
                                "-jar",
                                Images.executable(HOME, module).toString(),
                                "--spring.config.additional-location=file:" + discovery,
                                "--server.port=" + node.port(),
                                "--sample.services=" + String.join(",", node.services())));
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

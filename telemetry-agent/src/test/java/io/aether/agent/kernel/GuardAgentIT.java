// SPDX-License-Identifier: Apache-2.0
package io.aether.agent.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import io.aether.agent.AgentApplication;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;

/** The guard as an operator meets it: the agent's properties, its HTTP interface and its metrics. */
@RequiresKernel
@Timeout(120)
class GuardAgentIT {
    private static final String TOKEN = "a-token-of-some-length";

    @TempDir
    Path directory;

    private Wire wire;
    private ConfigurableApplicationContext agent;

    @BeforeEach
    void plug() {
        wire = new Wire();
    }

    @AfterEach
    void unplug() {
        if (agent != null) {
            agent.close();
        }
        wire.close();
    }

    private List<String> arguments(String... more) {
        List<String> arguments = new ArrayList<>(List.of(
                "--server.port=0",
                "--aether.agent.table-path=" + directory.resolve("health"),
                "--aether.agent.cgroup=" + Area.directory(),
                "--aether.agent.token=" + TOKEN,
                "--aether.agent.guard.interfaces=" + wire.device(),
                "--aether.agent.guard.mode=enforce",
                "--aether.agent.guard.management-prefixes=" + wire.there(5)));
        for (String probe : List.of("flow", "queue", "sched", "health")) {
            arguments.add("--aether.agent.probes." + probe + ".enabled=false");
        }
        arguments.addAll(List.of(more));
        return arguments;
    }

    private void start(String... more) {
        agent = SpringApplication.run(AgentApplication.class, arguments(more).toArray(String[]::new));
    }

    private HttpResponse<String> send(String method, String path, String body) {
        String port = agent.getEnvironment().getRequiredProperty("local.server.port");
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                .header("Content-Type", "application/json")
                .header("Authorization", "Bearer " + TOKEN)
                .method(method, HttpRequest.BodyPublishers.ofString(body))
                .build();
        try {
            return HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString());
        } catch (IOException e) {
            throw new IllegalStateException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    private HttpResponse<String> change(String method, String body) {
        return send(method, "/api/v1/blocklist", body);
    }

    @Test
    void blocksForAsLongAsAskedAndCounts() {
        start("--aether.agent.guard.block=" + wire.there(4));
        wire.from(4);
        assertThat(wire.reaches()).as("configured").isFalse();

        wire.from(2);
        assertThat(wire.reaches()).isTrue();
        String both = "{\"block\":[\"" + wire.there(2) + "\",\"" + wire.there6(2) + "\"],\"ttl\":\"4s\"}";
        assertThat(change("POST", both).body()).isEqualTo("{\"changed\":2,\"block\":3,\"allow\":0}");
        assertThat(wire.reaches()).isFalse();
        assertThat(change("GET", "").body())
                .contains(
                        "\"mode\":\"enforce\"",
                        "\"hook\":\"native\"",
                        "{\"cidr\":\"" + wire.there(2) + "\",\"secondsLeft\":");
        Shell.await(8_000, () -> wire.reaches() && wire.reaches6(), () -> "the end of the entries");
        assertThat(change("GET", "").body())
                .doesNotContain(wire.there(2))
                .contains("{\"cidr\":\"" + wire.there(4) + "\",\"secondsLeft\":null}");

        assertThat(send("GET", "/actuator/prometheus", "").body())
                .containsPattern("aether_guard_packets_total\\{verdict=\"blocked\"} [1-9]")
                .contains("aether_guard_attached{hook=\"native\",interface=\"" + wire.device() + "\"} 1.0")
                .contains("aether_guard_entries{list=\"block\"} 1.0", "aether_guard_enforcing 1.0");
        assertThat(send("GET", "/actuator/health", "").body()).contains("\"guard\":{\"state\":\"attached\"");
    }

    @Test
    void replacesAndRemoves() {
        start();
        wire.from(2);
        change("POST", "{\"block\":[\"10.86.0.0/16\"],\"allow\":[\"" + wire.there(2) + "\"]}");
        assertThat(wire.reaches()).as("allow wins").isTrue();
        assertThat(change("PUT", "{\"allow\":[]}").body()).isEqualTo("{\"changed\":0,\"block\":1,\"allow\":0}");
        assertThat(wire.reaches()).isFalse();
        wire.from(5);
        assertThat(wire.reaches()).as("management").isTrue();
        wire.from(2);
        assertThat(change("PUT", "{\"block\":[\"198.51.100.0/24\"]}").body()).contains("\"block\":1");
        assertThat(wire.reaches()).isTrue();
        assertThat(send("DELETE", "/api/v1/blocklist?cidr=198.51.100.0/24&cidr=10.0.0.0/8", "")
                        .body())
                .isEqualTo("{\"changed\":1,\"block\":0,\"allow\":0}");
        assertThat(send("DELETE", "/api/v1/blocklist?cidr=198.51.100.0/24&list=x", "")
                        .statusCode())
                .isEqualTo(400);
    }

    @Test
    void takesAHundredThousandAndSaysWhenItIsFull() {
        start("--aether.agent.guard.max-entries=100000");
        assertThat(change("POST", numbered(100_000)).body())
                .isEqualTo("{\"changed\":100000,\"block\":100000,\"allow\":0}");
        HttpResponse<String> full = change("POST", "{\"block\":[\"" + wire.there(2) + "\"]}");
        assertThat(full.statusCode()).isEqualTo(507);
        assertThat(full.body()).contains("the block list would hold 100001 IPv4", "max-entries");
        wire.from(2);
        assertThat(wire.reaches()).isTrue();
        assertThat(change("PUT", "{\"block\":[\"" + wire.there(2) + "\"]}").body())
                .contains("\"block\":1,");
        assertThat(wire.reaches()).isFalse();
    }

    private static String numbered(int count) {
        return IntStream.range(0, count)
                .mapToObj(i -> "\"11." + (i >> 16) + "." + (i >> 8 & 255) + "." + (i & 255) + "\"")
                .collect(Collectors.joining(",", "{\"block\":[", "]}"));
    }

    @Test
    void isDegradedWithTheHolderNamedWhileAnotherProgramHoldsTheHook() {
        Shell.run("ip", "link", "set", "dev", wire.device(), "xdpgeneric", "obj", Wire.foreignObject(), "sec", "xdp");
        start();
        assertThat(send("GET", "/actuator/health", "").body())
                .contains("\"degraded\":true", "\"guard\":{\"state\":\"conflict\"", "attached by netlink");
        Shell.run("ip", "link", "set", "dev", wire.device(), "xdpgeneric", "off");
        Shell.await(
                10_000,
                () -> send("GET", "/actuator/health", "").body().contains("\"guard\":{\"state\":\"attached\""),
                () -> "the guard takes the interface that was freed");
        assertThat(send("GET", "/actuator/health", "").body()).contains("\"degraded\":false");
    }

    /** What the guard needs, dropped one by one; the agent is a process of its own. */
    @ParameterizedTest
    @CsvSource({"'+bpf,+perfmon,+net_admin', attached", "'+bpf,+net_admin', denied", "'+bpf,+perfmon', denied"})
    void needsThreeCapabilities(String capabilities, String state) throws Exception {
        List<String> command = new ArrayList<>(List.of(
                "setpriv",
                "--bounding-set=-all," + capabilities,
                "--inh-caps=-all," + capabilities,
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx64m",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                AgentApplication.class.getName()));
        command.addAll(arguments());
        Path output = directory.resolve("log");
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        try {
            Shell.await(60_000, () -> text(output).contains("Writing "), () -> text(output));
            assertThat(text(output))
                    .contains(state.equals("denied") ? "CAP_BPF, CAP_PERFMON and CAP_NET_ADMIN" : "native mode");
            assertThat(text(output))
                    .contains("Guard on " + wire.device() + ": " + (state.equals("denied") ? state : "native"));
        } finally {
            process.destroy();
            process.waitFor(20, TimeUnit.SECONDS);
        }
        assertThat(wire.description()).doesNotContain("xdp");
    }

    private static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }
}

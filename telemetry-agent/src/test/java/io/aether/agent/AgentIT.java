// SPDX-License-Identifier: Apache-2.0
package io.aether.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.aether.agent.kernel.Area;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** The agent as a process of its own, with the memory the documentation promises is enough. */
@Timeout(120)
class AgentIT {
    @TempDir
    Path directory;

    @Test
    void endsWithTheReasonWhenThePortIsTaken() throws Exception {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Process agent = start("taken", taken.getLocalPort());

            assertThat(agent.waitFor(60, TimeUnit.SECONDS)).isTrue();
            assertThat(agent.exitValue()).isEqualTo(1);
            assertThat(output("taken")).contains("Port " + taken.getLocalPort() + " was already in use");
        }
    }

    @Test
    void givesTheTableUpHoweverItEndsAndOnlyThen() throws Exception {
        int port = freePort();
        Process first = start("first", port);
        try {
            awaitState(port, first, "first");

            Process second = start("second", freePort());
            assertThat(second.waitFor(60, TimeUnit.SECONDS)).isTrue();
            assertThat(second.exitValue()).isEqualTo(1);
            assertThat(output("second"))
                    .contains(
                            directory.resolve("health") + " is written by another agent (process " + first.pid() + ")")
                    .contains("--aether.agent.table-path")
                    .doesNotContain("\tat ");
        } finally {
            first.destroyForcibly(); // SIGKILL: no chance to tidy up
            first.waitFor(10, TimeUnit.SECONDS);
        }

        int next = freePort();
        Process third = start("third", next);
        try {
            awaitState(next, third, "third");
        } finally {
            third.destroy();
            assertThat(third.waitFor(30, TimeUnit.SECONDS)).isTrue();
        }
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void servesAndSaysWhatIsMissingWithoutPrivileges() throws Exception {
        assumeTrue(Files.isExecutable(Path.of("/usr/bin/setpriv")), "needs setpriv (package util-linux)");
        int port = freePort();
        Process agent = start("bare", port, "/usr/bin/setpriv", "--bounding-set=-all", "--inh-caps=-all");
        try {
            String answer = awaitState(port, agent, "bare");

            assertThat(answer).contains("\"state\":\"degraded\"", "\"state\":\"denied\"", "as root or with CAP_BPF");
            assertThat(output("bare")).contains("Probe flow: denied").doesNotContain("\tat ");
        } finally {
            agent.destroy();
            agent.waitFor(30, TimeUnit.SECONDS);
        }
    }

    private Process start(String name, int port, String... prefix) throws IOException {
        List<String> command = new ArrayList<>(List.of(prefix));
        command.addAll(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx64m",
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-cp",
                System.getProperty("java.class.path"),
                AgentApplication.class.getName(),
                "--server.port=" + port,
                "--aether.agent.table-path=" + directory.resolve("health")));
        if ("root".equals(System.getProperty("user.name"))) {
            command.add("--aether.agent.cgroup=" + Area.directory());
        }
        return new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve(name + ".log").toFile())
                .start();
    }

    private String output(String name) throws IOException {
        return Files.readString(directory.resolve(name + ".log"));
    }

    /** Waits until the agent has settled, whatever this machine lets it do, and returns its endpoints. */
    private String awaitState(int port, Process agent, String name) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/api/v1/endpoints"))
                .build();
        List<String> settled = List.of("\"watching\"", "\"degraded\"", "\"unavailable\"");
        for (int i = 0; i < 300; i++) {
            assertThat(agent.isAlive()).as(output(name)).isTrue();
            try {
                String body = HttpClient.newHttpClient()
                        .send(request, HttpResponse.BodyHandlers.ofString())
                        .body();
                if (settled.stream().anyMatch(state -> body.contains("\"state\":" + state))) {
                    return body;
                }
            } catch (IOException notYet) {
                // Not listening yet.
            }
            Thread.sleep(100);
        }
        throw new AssertionError("the agent did not settle: " + output(name));
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.aether.bench.overhead;

import io.aether.bench.PrerequisiteException;
import io.aether.bench.ProcessUsage;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/** The telemetry agent as an operator runs it, in a process of its own outside the watched cgroup. */
final class Agent implements AutoCloseable {
    /** The options that docs/configuration.md recommends. */
    static final List<String> JVM =
            List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xmx64m", "-Xss512k", "-XX:-UsePerfData");

    /** No interface is named to the guard, and no cgroup's congestion control is to be changed. */
    private static final Set<String> ASKED_FOR = Set.of("guard/guard", "cc/cc");

    private static final int PORT = 19_464;
    private static final int ATTEMPTS = 600;

    private final Process process;
    private final HttpClient http =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    private Agent(Process process) {
        this.process = process;
    }

    /** Starts it and waits until its programs are attached. */
    static Agent start(Stage stage) throws IOException, PrerequisiteException, InterruptedException {
        Path log = stage.directory().resolve("agent.log");
        List<String> command = new ArrayList<>(List.of(Stage.java()));
        command.addAll(JVM);
        command.addAll(List.of(
                "-jar",
                stage.jar().toString(),
                "--server.port=" + PORT,
                "--aether.agent.table-path=" + stage.directory().resolve("health"),
                "--aether.agent.cgroup=" + stage.watched()));
        Process process = new ProcessBuilder(stage.outside(command))
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        Agent agent = new Agent(process);
        stage.cleanup().add(agent::close);
        agent.await(log);
        return agent;
    }

    private void await(Path log) throws IOException, PrerequisiteException, InterruptedException {
        for (int i = 0; i < ATTEMPTS && process.isAlive(); i++) {
            try {
                Scrape scrape = scrape();
                if (scrape.value("aether_ebpf_agent_up") == 1) {
                    check(scrape, log);
                    return;
                }
            } catch (IOException notYet) {
                // It does not listen yet.
            }
            Thread.sleep(100);
        }
        throw new IOException("the agent does not watch:\n" + Files.readString(log));
    }

    /** Without all of its programs its cost would look small, but for those that somebody has to ask for. */
    private static void check(Scrape scrape, Path log) throws IOException, PrerequisiteException {
        Map<String, Double> attached = scrape.byProbe("aether_ebpf_probe_attached", "probe");
        attached.keySet().removeAll(ASKED_FOR);
        if (attached.containsValue(0.0)) {
            throw new PrerequisiteException("the agent cannot attach all of its programs:\n" + Files.readString(log));
        }
    }

    /** Everything it tells Prometheus. */
    Scrape scrape() throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + PORT + "/actuator/prometheus"))
                .timeout(Duration.ofSeconds(10))
                .build();
        HttpResponse<String> answer = http.send(request, HttpResponse.BodyHandlers.ofString());
        if (answer.statusCode() != 200) {
            throw new IOException("the agent answered " + answer.statusCode());
        }
        return Scrape.parse(answer.body());
    }

    /** CPU time of the process since its start, s. */
    double cpuSeconds() throws IOException {
        return ProcessUsage.cpuSeconds(process.pid());
    }

    /** Resident memory, MB of 10^6 bytes. */
    double residentMegabytes() throws IOException {
        return ProcessUsage.residentMegabytes(process.pid());
    }

    @Override
    public void close() {
        process.destroy();
        try {
            if (!process.waitFor(15, TimeUnit.SECONDS)) {
                process.destroyForcibly().waitFor(5, TimeUnit.SECONDS);
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}

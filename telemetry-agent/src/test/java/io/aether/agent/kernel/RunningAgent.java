// SPDX-License-Identifier: Apache-2.0
package io.aether.agent.kernel;

import io.aether.agent.AgentApplication;
import java.io.IOException;
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
import java.util.stream.Stream;

/** The agent as an operator runs it, in a process of its own that gives up its capabilities. */
final class RunningAgent implements AutoCloseable {
    private static final HttpClient CLIENT = HttpClient.newHttpClient();

    private final Process process;
    private final Path directory;
    private final int port = freePort();

    /**
     * @param directory for its table and its log
     * @param more arguments
     */
    RunningAgent(Path directory, Path pins, String... more) {
        this.directory = directory;
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx96m",
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-cp",
                System.getProperty("java.class.path"),
                AgentApplication.class.getName(),
                "--server.port=" + port,
                "--aether.agent.table-path=" + table(),
                "--aether.agent.cgroup=" + Area.directory(),
                "--aether.agent.drop-privileges=true",
                "--aether.agent.pin.enabled=true",
                "--aether.agent.pin.directory=" + pins));
        command.addAll(List.of(more));
        try {
            process = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(log().toFile())
                    .start();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private static int freePort() {
        try (ServerSocket socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    Path table() {
        return directory.resolve("health");
    }

    private Path log() {
        return directory.resolve("agent.log");
    }

    long pid() {
        return process.pid();
    }

    int port() {
        return port;
    }

    /** Waits until the health endpoint says all of this, and returns what it says. */
    String await(String... texts) {
        Shell.await(
                60_000,
                () -> Stream.of(texts).allMatch(get("/actuator/health")::contains),
                () -> get("/actuator/health") + "\n" + output());
        return get("/actuator/health");
    }

    /** The answer, or an empty text while there is none. */
    String get(String path) {
        return send(to(path).build());
    }

    /** The answer to JSON, as one who has the token. */
    String post(String path, String token, String json) {
        return send(to(path).header("Content-Type", "application/json")
                .header("Authorization", "Bearer " + token)
                .POST(HttpRequest.BodyPublishers.ofString(json))
                .build());
    }

    private HttpRequest.Builder to(String path) {
        return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path));
    }

    private static String send(HttpRequest request) {
        try {
            return CLIENT.send(request, HttpResponse.BodyHandlers.ofString()).body();
        } catch (IOException notYet) {
            return "";
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    String output() {
        try {
            return Files.readString(log());
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    /** As an operator or a service manager does. */
    void stop() {
        process.destroy();
        await(20);
    }

    private void await(long seconds) {
        try {
            if (!process.waitFor(seconds, TimeUnit.SECONDS)) {
                throw new IllegalStateException("the agent does not end: " + output());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    /** As {@code kill -9} does: nothing is tidied up. */
    void kill() {
        process.destroyForcibly();
        await(5);
    }

    @Override
    public void close() {
        kill();
    }
}

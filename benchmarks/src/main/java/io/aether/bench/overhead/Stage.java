// SPDX-License-Identifier: Apache-2.0
package io.aether.bench.overhead;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.aether.bench.Cleanup;
import io.aether.bench.Host;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The cgroup to watch, with the server in one below it and this process, the client, in another, and where the agent writes.
 * Not thread-safe.
 */
final class Stage {
    private static final long SECONDS = 10;
    /** Enters a cgroup and becomes the command after it: the process id stays the same. */
    private static final String ENTER = "echo $$ > \"$1\" || exit 99; shift; exec \"$@\"";

    private final Path directory;
    private final Path jar;
    private final Cleanup cleanup;
    private final Path home;
    private final Path watched;
    private final Path serverGroup;
    private final Path clientGroup;

    private @Nullable Process server;
    private int port;

    private Stage(Path root, Path self, Path directory, Path jar, Cleanup cleanup) {
        this.directory = directory;
        this.jar = jar;
        this.cleanup = cleanup;
        home = self;
        watched = root.resolve("aether-overhead-" + ProcessHandle.current().pid());
        serverGroup = watched.resolve("server");
        clientGroup = watched.resolve("client");
    }

    /** Builds it below the root of the version 2 hierarchy. */
    static Stage set(Path root, Path jar, Cleanup cleanup) throws IOException {
        Path directory = Files.createTempDirectory("aether-overhead");
        Stage stage = new Stage(root, root.resolve(Host.cgroup()), directory, jar, cleanup);
        cleanup.add(stage::remove);
        Files.createDirectory(stage.watched);
        Files.createDirectory(stage.serverGroup);
        Files.createDirectory(stage.clientGroup);
        Host.move(ProcessHandle.current().pid(), stage.clientGroup);
        stage.startServer();
        return stage;
    }

    private void startServer() throws IOException {
        Process process = new ProcessBuilder(in(
                        serverGroup,
                        List.of(
                                java(),
                                "-Xmx64m",
                                "-XX:+UseSerialGC",
                                "-cp",
                                System.getProperty("java.class.path"),
                                Server.class.getName())))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        server = process;
        process.outputWriter(US_ASCII).append("go\n").flush();
        String line = process.inputReader(US_ASCII).readLine();
        if (line == null) {
            throw new IOException("the server did not start");
        }
        port = Integer.parseInt(line);
    }

    static String java() {
        return Path.of(System.getProperty("java.home"), "bin", "java").toString();
    }

    private static List<String> in(Path cgroup, List<String> command) {
        List<String> all = new ArrayList<>(
                List.of("sh", "-c", ENTER, "sh", cgroup.resolve("cgroup.procs").toString()));
        all.addAll(command);
        return all;
    }

    /** The command that runs another one beside the watched cgroup. */
    List<String> outside(List<String> command) {
        return in(home, command);
    }

    /** The cgroup of both sides. */
    Path watched() {
        return watched;
    }

    /** For the agent's table and its log. */
    Path directory() {
        return directory;
    }

    /** The agent's executable. */
    Path jar() {
        return jar;
    }

    /** Ends what is still there when this process ends. */
    Cleanup cleanup() {
        return cleanup;
    }

    InetSocketAddress address() {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
    }

    private void remove() throws IOException, InterruptedException {
        if (server != null) {
            server.destroyForcibly().waitFor(SECONDS, TimeUnit.SECONDS);
        }
        if (Files.exists(watched)) {
            Host.move(ProcessHandle.current().pid(), home);
        }
        Host.remove(serverGroup);
        Host.remove(clientGroup);
        Host.remove(watched);
        try (Stream<Path> files = Files.list(directory)) {
            for (Path file : files.toList()) {
                Files.delete(file);
            }
        }
        Files.delete(directory);
    }
}

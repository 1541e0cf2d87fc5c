// SPDX-License-Identifier: Apache-2.0
package io.aether.bench.stall;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.aether.bench.Cleanup;
import io.aether.bench.Host;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A server in a network namespace and a cgroup of its own, this process in the cgroup above, which is the one to watch, and
 * where the table is. Not thread-safe.
 */
final class Stage {
    private static final String OUTSIDE = "10.85.1.1";
    private static final String INSIDE = "10.85.1.2";
    private static final long SECONDS = 10;

    private final String name;
    private final Path directory;
    private final Path home;
    private final Path watched;
    private final Path frozen;

    private @Nullable Process server;
    private int port;

    /**
     * @param root the version 2 hierarchy
     * @param self where this process is in it
     * @param directory of the table
     */
    private Stage(Path root, Path self, Path directory) {
        this.directory = directory;
        this.name = "aether-stall-" + ProcessHandle.current().pid();
        this.home = self;
        this.watched = root.resolve(name);
        this.frozen = watched.resolve("server");
    }

    /** Builds it below the root of the version 2 hierarchy. */
    static Stage set(Path root, Cleanup cleanup) throws IOException {
        Stage stage = new Stage(root, root.resolve(Host.cgroup()), Files.createTempDirectory("aether-stall"));
        cleanup.add(stage::remove);
        stage.build();
        return stage;
    }

    private void build() throws IOException {
        Files.createDirectory(watched);
        Files.createDirectory(frozen);
        Host.move(ProcessHandle.current().pid(), watched);
        String device = "aes" + ProcessHandle.current().pid() % 100_000;
        Host.run("ip", "netns", "add", name);
        Host.run("ip", "link", "add", device, "type", "veth", "peer", "name", "inside", "netns", name);
        Host.run("ip", "address", "add", OUTSIDE + "/24", "dev", device);
        Host.run("ip", "link", "set", device, "up");
        Host.run("ip", "-n", name, "address", "add", INSIDE + "/24", "dev", "inside");
        Host.run("ip", "-n", name, "link", "set", "inside", "up");
        startServer();
    }

    private void startServer() throws IOException {
        List<String> command = List.of(
                "ip",
                "netns",
                "exec",
                name,
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-Xmx32m",
                "-cp",
                System.getProperty("java.class.path"),
                EchoServer.class.getName());
        Process process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        server = process;
        Host.move(process.pid(), frozen);
        process.outputWriter(US_ASCII).append("go\n").flush();
        String line = process.inputReader(US_ASCII).readLine();
        if (line == null) {
            throw new IOException("the server did not start");
        }
        port = Integer.parseInt(line);
    }

    /** The cgroup of both sides. */
    Path watched() {
        return watched;
    }

    InetSocketAddress address() throws IOException {
        return new InetSocketAddress(InetAddress.getByName(INSIDE), port);
    }

    /** Stops the server as a whole; it takes effect within some 100 us. */
    void freeze(boolean stop) throws IOException {
        Files.writeString(frozen.resolve("cgroup.freeze"), stop ? "1" : "0");
    }

    /** The table's file. */
    Path table() {
        return directory.resolve("health");
    }

    private void remove() throws IOException, InterruptedException {
        if (Files.exists(frozen)) {
            freeze(false);
        }
        if (server != null) {
            server.destroyForcibly().waitFor(SECONDS, TimeUnit.SECONDS);
        }
        if (Files.exists(Path.of("/run/netns", name))) {
            Host.run("ip", "netns", "del", name);
        }
        if (Files.exists(watched)) {
            Host.move(ProcessHandle.current().pid(), home);
        }
        Host.remove(frozen);
        Host.remove(watched);
        Files.deleteIfExists(table());
        Files.delete(directory);
    }
}

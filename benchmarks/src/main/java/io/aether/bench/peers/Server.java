// SPDX-License-Identifier: Apache-2.0
package io.aether.bench.peers;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.aether.bench.demo.Images;
import io.aether.bench.demo.Launcher;
import io.aether.bench.demo.NetworkNamespace;
import io.aether.bench.peers.server.ServerMain;
import java.io.IOException;
import java.io.Writer;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A server as a process in a cgroup of its own. Used by one thread at a time. */
final class Server {
    private final String name;
    private final InetSocketAddress address;
    private final Launcher launcher;
    private final @Nullable NetworkNamespace namespace;
    private volatile @Nullable Process process;

    /** @param namespace that it listens in, or null for the benchmark's */
    Server(String name, InetSocketAddress address, Launcher launcher, @Nullable NetworkNamespace namespace) {
        this.name = name;
        this.address = address;
        this.launcher = launcher;
        this.namespace = namespace;
    }

    /** Starts it; it takes a moment until it listens. */
    void start() throws IOException {
        process = launcher.start(
                name,
                name,
                namespace,
                List.of(
                        Images.java(),
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "-XX:-UsePerfData",
                        "-Xmx48m",
                        "-cp",
                        System.getProperty("java.class.path"),
                        ServerMain.class.getName(),
                        Integer.toString(address.getPort())));
    }

    /** Waits until it listens. */
    void await() throws IOException, InterruptedException {
        Listening.await(address, process(), launcher.log(name));
    }

    /** Kills it. */
    void end() {
        if (process != null) {
            Launcher.end(process(), true);
        }
    }

    /** Whether it answers 500 from now on. */
    void errors(boolean fail) throws IOException {
        Writer input = process().outputWriter(US_ASCII);
        input.write(fail ? "errors\n" : "serve\n");
        input.flush();
    }

    String name() {
        return name;
    }

    InetSocketAddress address() {
        return address;
    }

    Process process() {
        return Objects.requireNonNull(process);
    }
}

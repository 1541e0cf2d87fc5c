// SPDX-License-Identifier: Apache-2.0
package io.aether.bench.demo;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** The telemetry agent as a process of its own, watching the demo's cgroups only. */
public final class Agent implements AutoCloseable {

    public static final int PORT = 9464;

    private static final String NAME = "agent";

    private final Process process;
    private boolean reported;

    private Agent(Process process) {
        this.process = process;
    }

    /** Starts the agent and waits until it answers. */
    public static Agent start(Path jar, Path table, Path cgroup, Launcher launcher, Control control)
            throws IOException {
        Process process = launcher.start(
                NAME,
                NAME,
                null,
                List.of(
                        Images.java(),
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "-Xmx96m",
                        "--enable-native-access=ALL-UNNAMED",
                        "-jar",
                        jar.toString(),
                        "--server.port=" + PORT,
                        "--aether.agent.table-path=" + table,
                        "--aether.agent.pin.enabled=false",
                        "--aether.agent.cgroup=" + cgroup));
        Agent agent = new Agent(process);
        try {
            agent.await(control);
        } catch (IOException e) {
            agent.close();
            throw new IOException(e.getMessage() + "; see " + launcher.log(NAME), e);
        }
        return agent;
    }

    /** Any answer will do: an agent that is blind to something says so with another status than 200. */
    private void await(Control control) throws IOException {
        Topology.Node node = new Topology.Node(NAME, List.of(), Topology.LOOPBACK, PORT);
        for (int i = 0; i < 600; i++) {
            try {
                control.get(node.url("/actuator/health"));
                return;
            } catch (IOException e) {
                if (!process.isAlive()) {
                    throw new IOException("the agent ended with exit code " + process.exitValue(), e);
                }
            }
            try {
                Thread.sleep(100);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IOException("interrupted", e);
            }
        }
        throw new IOException("the agent did not answer within a minute");
    }

    /** Whether the agent says that some of its kernel programs are missing. */
    public static boolean degraded(Control control) throws IOException {
        return control.get("http://" + Topology.LOOPBACK + ":" + PORT + "/actuator/health")
                .body()
                .contains("\"degraded\":true");
    }

    /** True once, when the agent has ended by itself. */
    public boolean died() {
        boolean news = !reported && !process.isAlive();
        reported |= news;
        return news;
    }

    public Process process() {
        return process;
    }

    @Override
    public void close() {
        reported = true;
        Launcher.end(process, false);
    }
}

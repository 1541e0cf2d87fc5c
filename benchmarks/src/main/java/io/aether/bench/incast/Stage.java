// SPDX-License-Identifier: Apache-2.0
package io.aether.bench.incast;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Senders, a router and an aggregator, each in a network namespace of its own: the way to the aggregator has 200 Mbit/s
 * (21 times less than what comes) and a buffer of 64 KB, and can mark. The two ends run in a cgroup of their own.
 * Everything is undone by {@link #close}. Not thread-safe.
 */
final class Stage implements AutoCloseable {
    static final String NETWORK = "10.86.";

    /** As bpf/test/incast.h has it. */
    private static final List<String> BOTTLENECK = List.of("tbf", "rate", "200mbit", "burst", "6000", "limit", "64000");

    private static final Path TOOL = Path.of("bpf", "target", "work", "flood").toAbsolutePath();
    private static final Path MARKER =
            Path.of("bpf", "target", "work", "incast.bpf.o").toAbsolutePath();
    private static final long SECONDS = 20;

    private final String name = "aei" + ProcessHandle.current().pid() % 100_000;
    private final Path cgroup;
    private @Nullable Child senders;
    private @Nullable Child aggregator;
    private boolean marking;

    private Stage(Path root) {
        this.cgroup = root.resolve(name);
    }

    /** Builds it; its cgroup below the root of the version 2 hierarchy. */
    static Stage set(Path root) throws IOException, InterruptedException {
        Stage stage = new Stage(root);
        Runtime.getRuntime().addShutdownHook(new Thread(stage::close, "incast-end"));
        try {
            stage.build();
        } catch (IOException | InterruptedException e) {
            stage.close();
            throw e;
        }
        return stage;
    }

    static List<Path> tools() {
        return List.of(TOOL, MARKER);
    }

    private void build() throws IOException, InterruptedException {
        Files.createDirectory(cgroup);
        for (String end : List.of("s", "r", "a")) {
            run("ip", "netns", "add", name + end);
        }
        connect("s", "up", NETWORK + "2.");
        connect("a", "down", NETWORK + "1.");
        run("ip", "netns", "exec", name + "r", "sh", "-c", "echo 1 > /proc/sys/net/ipv4/ip_forward");
        List<String> shape = new ArrayList<>(List.of("tc", "-n", name + "r", "qdisc", "add", "dev", "down", "root"));
        shape.addAll(BOTTLENECK);
        run(shape.toArray(String[]::new));
        run("tc", "-n", name + "r", "qdisc", "add", "dev", "down", "clsact");
        for (Policy policy : Policy.values()) {
            List<String> route =
                    new ArrayList<>(List.of("ip", "-n", name + "s", "route", "add", policy.address() + "/32"));
            route.addAll(List.of("via", NETWORK + "2.254"));
            route.addAll(policy.route());
            run(route.toArray(String[]::new));
        }
        run("ip", "-n", name + "a", "route", "add", NETWORK + "2.0/24", "via", NETWORK + "1.254");
    }

    /** One end's namespace with the router's. */
    private void connect(String end, String port, String network) throws IOException, InterruptedException {
        String namespace = name + end;
        run("ip", "-n", namespace, "link", "add", "eth0", "type", "veth", "peer", "name", port, "netns", name + "r");
        for (Policy policy : Policy.values()) {
            run("ip", "-n", namespace, "addr", "add", network + policy.host() + "/24", "dev", "eth0");
        }
        run("ip", "-n", name + "r", "addr", "add", network + "254/24", "dev", port);
        run("ip", "-n", namespace, "link", "set", "dev", "eth0", "up");
        run("ip", "-n", name + "r", "link", "set", "dev", port, "up");
        run("ip", "netns", "exec", namespace, TOOL.toString(), "segment", "eth0");
        run("ip", "netns", "exec", name + "r", TOOL.toString(), "segment", port);
        for (String setting : List.of("tcp_ecn=1", "tcp_no_metrics_save=1")) {
            String[] parts = setting.split("=", -1);
            run("ip", "netns", "exec", namespace, "sh", "-c", "echo " + parts[1] + " > /proc/sys/net/ipv4/" + parts[0]);
        }
    }

    /** The cgroup of both ends. */
    Path cgroup() {
        return cgroup;
    }

    /** Starts both ends and connects them, for all policies. */
    Child start() throws IOException {
        senders = new Child(name + "s", cgroup, Senders.class);
        aggregator = new Child(name + "a", cgroup, Aggregator.class);
        aggregator.tell("connect " + senders.tell("go"));
        return aggregator;
    }

    /** Whether the router marks. */
    void mark(boolean on) throws IOException, InterruptedException {
        if (on == marking) {
            return;
        }
        List<String> command = new ArrayList<>(List.of("tc", "-n", name + "r", "filter"));
        command.addAll(List.of(on ? "add" : "del", "dev", "down", "egress"));
        if (on) {
            command.addAll(List.of("bpf", "direct-action", "object-file", MARKER.toString(), "section", "tc"));
        }
        run(command.toArray(String[]::new));
        marking = on;
    }

    private static void run(String... command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), UTF_8);
        if (!process.waitFor(SECONDS, TimeUnit.SECONDS) || process.exitValue() != 0) {
            throw new IOException(String.join(" ", command) + ": " + output);
        }
    }

    @Override
    public synchronized void close() {
        try {
            for (Child child : new Child[] {aggregator, senders}) {
                if (child != null) {
                    child.close();
                }
            }
            for (String end : List.of("s", "r", "a")) {
                if (Files.exists(Path.of("/run/netns", name + end))) {
                    run("ip", "netns", "del", name + end);
                }
            }
            // The kernel lets go of a cgroup a little after its last process.
            for (int i = 0; i < 100 && Files.exists(cgroup) && !cgroup.toFile().delete(); i++) {
                Thread.sleep(20);
            }
        } catch (IOException e) {
            System.err.println("incast: cannot clean up: " + e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.aether.bench.guard;

import io.aether.bench.Host;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A namespace that is attacked and one that attacks, with a cable of two virtual interfaces. The receiving one works as a
 * network card does: receive offload on, and its packets handled by a kernel thread, whose CPU time is then known exactly.
 *
 * @param name of the receiving interface, and the beginning of all other names
 */
record Arena(String name) implements AutoCloseable {
    static final Path FLOOD = Path.of("bpf", "target", "work", "flood").toAbsolutePath();

    /** The attacked end. */
    static final String TARGET = "198.51.100.1";

    /** The honest client. */
    static final String CLIENT = "198.51.100.2";

    /** What the attacker claims to be: a range that the internet keeps for benchmarks. */
    static final String ATTACKERS = "198.18.0.0/15";

    static final String FIRST_ATTACKER = "198.18.0.1";

    static Arena build(long id) throws IOException {
        Arena arena = new Arena("aeb" + id % 100_000);
        try {
            arena.connect();
        } catch (IOException e) {
            arena.close();
            throw e;
        }
        Runtime.getRuntime().addShutdownHook(new Thread(arena::close, "arena"));
        return arena;
    }

    private void connect() throws IOException {
        Host.run("ip", "netns", "add", source());
        Host.run("ip", "netns", "add", target());
        Host.run(
                "ip", "-n", source(), "link", "add", "name", "out", "type", "veth", "peer", "name", name, "netns",
                target());
        Host.run("ip", "-n", source(), "addr", "add", CLIENT + "/24", "dev", "out");
        Host.run("ip", "-n", target(), "addr", "add", TARGET + "/24", "dev", name);
        Host.run("ip", "-n", source(), "link", "set", "dev", "out", "up");
        Host.run("ip", "-n", target(), "link", "set", "dev", name, "up");
        Host.run("ip", "-n", target(), "link", "set", "dev", "lo", "up");
        Host.run("ip", "-n", target(), "route", "add", ATTACKERS, "via", CLIENT);
        Host.run("ip", "netns", "exec", target(), FLOOD.toString(), "offload", name);
        Host.run("ip", "netns", "exec", target(), "sh", "-c", "echo 1 > /sys/class/net/" + name + "/threaded");
    }

    /** A Java program of this benchmark, to be run in a network namespace. */
    static List<String> java(String namespace, Class<?> main, String... arguments) {
        List<String> command = new ArrayList<>(List.of(
                "ip",
                "netns",
                "exec",
                namespace,
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-Xmx128m",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                main.getName()));
        command.addAll(List.of(arguments));
        return command;
    }

    String source() {
        return name + "-source";
    }

    String target() {
        return name + "-target";
    }

    /**
     * Starts a flood towards {@link #TARGET}.
     *
     * @param kind {@code udp} or {@code syn}
     * @param sources how many addresses it comes from
     * @param rate packets a second; 0 for as many as it can
     */
    Process flood(String kind, int port, int sources, int rate, int seconds) throws IOException {
        String mac =
                Files.readString(Path.of("/sys/class/net", name, "address")).strip();
        return new ProcessBuilder(
                        "ip",
                        "netns",
                        "exec",
                        source(),
                        FLOOD.toString(),
                        kind,
                        "out",
                        mac,
                        TARGET,
                        Integer.toString(port),
                        FIRST_ATTACKER,
                        Integer.toString(sources),
                        Integer.toString(rate),
                        Integer.toString(seconds))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
    }

    /** Removes the namespaces and with them the cable, whatever of it there is. */
    @Override
    public void close() {
        for (String namespace : new String[] {source(), target()}) {
            if (Files.exists(Path.of("/run/netns", namespace))) {
                try {
                    Host.run("ip", "netns", "del", namespace);
                } catch (IOException e) {
                    System.err.println("guard: cannot clean up: " + e.getMessage());
                }
            }
        }
    }
}

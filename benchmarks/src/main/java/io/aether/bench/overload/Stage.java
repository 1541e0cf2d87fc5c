// SPDX-License-Identifier: Apache-2.0
package io.aether.bench.overload;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.aether.agent.bpf.KernelProbes;
import io.aether.agent.bpf.ProbeSettings;
import io.aether.agent.bpf.ProbeStatus;
import io.aether.agent.bpf.ProbesUnavailableException;
import io.aether.core.NanoClock;
import io.aether.core.table.HealthTable;
import io.aether.core.table.TableException;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A namespace of clients and one of servers with a virtual cable between them, a cgroup of both, and the agent's programs
 * and pump on that cgroup. {@link #close} undoes everything, also from the shutdown hook. Thread-safe.
 */
final class Stage implements AutoCloseable {
    private static final long SECONDS = 20;
    /** Enters a cgroup and becomes the command after it, before it has opened any socket. */
    private static final String ENTER = "echo $$ > \"$1\" || exit 99; shift; exec \"$@\"";

    private final String name = "aeo" + ProcessHandle.current().pid();
    private final Path cgroup;
    private final Path directory;
    private final List<Process> processes = new ArrayList<>();
    private @Nullable KernelProbes probes;
    private @Nullable HealthTable table;
    private boolean closed;

    private Stage(Path cgroup, Path directory) {
        this.cgroup = cgroup;
        this.directory = directory;
    }

    /**
     * Builds it.
     *
     * @param root of the version 2 hierarchy
     * @param ecn whether clients ask for ECN
     * @throws ProbesUnavailableException when the agent cannot mark on this machine
     */
    static Stage set(Path root, boolean ecn) throws IOException, TableException {
        Path directory = Files.createTempDirectory("aether-overload");
        Stage stage = new Stage(
                root.resolve("aether-overload-" + ProcessHandle.current().pid()), directory);
        Runtime.getRuntime().addShutdownHook(new Thread(stage::close, "stage"));
        try {
            stage.connect(ecn);
            stage.attach();
        } catch (IOException | TableException | RuntimeException e) {
            stage.close();
            throw e;
        }
        return stage;
    }

    private void connect(boolean ecn) throws IOException {
        Files.createDirectory(cgroup);
        run("", "ip", "netns", "add", clients());
        run("", "ip", "netns", "add", servers());
        run("", "ip", "-n", clients(), "link", "add", "c", "type", "veth", "peer", "name", "s", "netns", servers());
        StringBuilder inClients = new StringBuilder();
        StringBuilder inServers = new StringBuilder();
        for (int i = 0; i < Address.COUNT; i++) {
            inClients.append(address(Address.ofClient(i).getHostAddress(), "c"));
            inServers.append(address(Address.ofServer(i).getHostAddress(), "s"));
        }
        run(inClients + "link set dev c up\nlink set dev lo up\n", "ip", "-n", clients(), "-batch", "-");
        run(inServers + "link set dev s up\nlink set dev lo up\n", "ip", "-n", servers(), "-batch", "-");
        set(clients(), "tcp_ecn", ecn ? "1" : "0");
        // Like cubic, it obeys marks; bbr would hide what marks do to the server's own answers.
        set(servers(), "tcp_congestion_control", "reno");
    }

    private static String address(String address, String device) {
        return "address add " + address + "/" + Address.PREFIX + " dev " + device + "\n";
    }

    private static void set(String namespace, String key, String value) throws IOException {
        run("", "ip", "netns", "exec", namespace, "sysctl", "-q", "-w", "net.ipv4." + key + "=" + value);
    }

    private void attach() throws TableException {
        Path file = directory.resolve("health");
        KernelProbes opened = KernelProbes.open(ProbeSettings.defaults(file, cgroup));
        probes = opened;
        for (ProbeStatus status : opened.attach()) {
            if (status.name().matches("flow|queue|ecn") && status.state() != ProbeStatus.State.ATTACHED) {
                throw new ProbesUnavailableException(status.name() + ": " + status.reason(), status.fix());
            }
        }
        opened.startPump();
        table = HealthTable.open(file, NanoClock.system());
    }

    String clients() {
        return name + "c";
    }

    String servers() {
        return name + "s";
    }

    /** Inode of the servers' namespace. */
    long serversInode() throws IOException {
        return (Long) Files.getAttribute(Path.of("/run/netns", servers()), "unix:ino");
    }

    /** The agent's table. */
    HealthTable table() {
        return Objects.requireNonNull(table);
    }

    Path tableFile() {
        return directory.resolve("health");
    }

    /** Where applications publish their queues. */
    Path applications() {
        return directory.resolve("apps");
    }

    /** Starts a Java program of this benchmark in a namespace and in the watched cgroup. */
    synchronized Process start(String namespace, Class<?> main, String... arguments) throws IOException {
        if (closed) {
            throw new IOException("closed");
        }
        Path hosts = directory.resolve("hosts");
        Files.writeString(hosts, "127.0.0.1 localhost\n");
        List<String> command = new ArrayList<>(
                List.of("sh", "-c", ENTER, "sh", cgroup.resolve("cgroup.procs").toString()));
        command.addAll(List.of("ip", "netns", "exec", namespace));
        command.addAll(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-Xmx192m",
                "-XX:-UsePerfData",
                "-Dcsp.sentinel.log.dir=" + directory.resolve("sentinel"),
                // Sentinel asks for the host's name in the middle of its work, and no name server is in these
                // namespaces.
                "-Djdk.net.hosts.file=" + hosts,
                "-Dlogback.configurationFile=io/aether/bench/overload/logback.xml",
                "-cp",
                System.getProperty("java.class.path"),
                main.getName()));
        command.addAll(List.of(arguments));
        Process process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        processes.add(process);
        return process;
    }

    private static void run(String input, String... words) throws IOException {
        Process process = new ProcessBuilder(words).redirectErrorStream(true).start();
        try (Writer writer = process.outputWriter(UTF_8)) {
            writer.write(input);
        }
        String output = new String(process.getInputStream().readAllBytes(), UTF_8).strip();
        try {
            if (!process.waitFor(SECONDS, TimeUnit.SECONDS) || process.exitValue() != 0) {
                throw new IOException("'" + String.join(" ", words) + "' failed: " + output);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }

    @Override
    public synchronized void close() {
        if (closed) {
            return;
        }
        closed = true;
        for (Process process : processes) {
            undo(() -> process.destroyForcibly().waitFor(SECONDS, TimeUnit.SECONDS));
        }
        if (table != null) {
            table.close();
        }
        if (probes != null) {
            probes.close();
        }
        for (String namespace : List.of(clients(), servers())) {
            if (Files.exists(Path.of("/run/netns", namespace))) {
                undo(() -> run("", "ip", "netns", "del", namespace));
            }
        }
        undo(this::removeCgroup);
        undo(this::removeFiles);
    }

    private interface Step {
        void run() throws Exception;
    }

    private static void undo(Step step) {
        try {
            step.run();
        } catch (Exception e) {
            System.err.println("overload: cannot clean up: " + e.getMessage());
        }
    }

    /** The kernel lets go of a cgroup a little after its last process. */
    private void removeCgroup() throws IOException, InterruptedException {
        for (int i = 0; i < 100 && Files.exists(cgroup); i++) {
            if (!cgroup.toFile().delete()) {
                Thread.sleep(20);
            }
        }
        if (Files.exists(cgroup)) {
            throw new IOException(cgroup + " is still in use");
        }
    }

    private void removeFiles() throws IOException {
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : files.sorted((a, b) -> b.compareTo(a)).toList()) {
                Files.delete(file);
            }
        }
    }
}

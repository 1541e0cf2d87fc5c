// SPDX-License-Identifier: Apache-2.0
package io.aether.agent.kernel;

import io.aether.core.NanoClock;
import io.aether.core.table.EndpointAddress;
import io.aether.core.table.EndpointHealth;
import io.aether.core.table.HealthTable;
import io.aether.core.table.TableException;
import io.aether.core.table.TableLayout;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A {@link PinnedMain} in a child process; closing it ends it normally. */
final class Pinned implements AutoCloseable {
    private static final Pattern PROGRAM = Pattern.compile("(\\w+)=(\\d+)");
    /** Iterators, and what stands in libraries. */
    private static final Set<String> UNPINNED = Set.of(
            "aether_adopt",
            "aether_survey",
            "aether_backlog",
            "aether_speak",
            "aether_tls_enter",
            "aether_tls_leave",
            "aether_tls_socket",
            "aether_ecn_scrub");

    private final Process process;
    private final Path table;
    private final Map<String, String> states = new HashMap<>();
    private final Map<String, String> pins = new HashMap<>();
    private final List<String> programs = new ArrayList<>();
    private String reason = "";

    Pinned(Path table, Path cgroup, Path directory, boolean keep) {
        this(table, cgroup, directory, keep, List.of());
    }

    /** One with the congestion control. */
    static Pinned controlling(Path table, Path cgroup, Path directory) {
        return new Pinned(table, cgroup, directory, false, List.of("cc"));
    }

    private Pinned(Path table, Path cgroup, Path directory, boolean keep, List<String> more) {
        this.table = table;
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx64m",
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-cp",
                System.getProperty("java.class.path"),
                PinnedMain.class.getName(),
                table.toString(),
                cgroup.toString(),
                directory.toString(),
                Boolean.toString(keep)));
        command.addAll(more);
        try {
            process = new ProcessBuilder(command)
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start();
            readStatus(process.inputReader());
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private void readStatus(BufferedReader lines) throws IOException {
        String line;
        while ((line = lines.readLine()) != null && !line.equals("ready")) {
            String[] words = line.split(" ", 5);
            if (words[0].equals("probe")) {
                states.put(words[1], words[2]);
                pins.put(words[1], words[3]);
                addPrograms(words[4]);
            } else {
                reason = line.substring("pins".length()).strip();
            }
        }
        if (line == null) {
            throw new IOException("the process ended before it was ready");
        }
    }

    /** Iterators run now and then, and those of tls and of interfaces stand where there are none here: nothing is pinned. */
    private void addPrograms(String map) {
        Matcher program = PROGRAM.matcher(map);
        while (program.find()) {
            if (!UNPINNED.contains(program.group(1))) {
                programs.add(program.group(2));
            }
        }
    }

    /** State of each probe. */
    Map<String, String> states() {
        return states;
    }

    /** What became of each probe's pins. */
    Map<String, String> pins() {
        return pins;
    }

    /** Why not everything is pinned. */
    String reason() {
        return reason;
    }

    /** Those that stay attached: their ids. */
    List<String> programs() {
        return programs;
    }

    /** Whether the kernel still has the program. */
    static boolean isLoaded(String program) {
        try {
            Shell.run("bpftool", "prog", "show", "id", program);
            return true;
        } catch (IllegalStateException gone) {
            return false;
        }
    }

    EndpointHealth peer(Namespace namespace, String server, int port) {
        return read(namespace, server, port, TableLayout.KIND_PEER);
    }

    EndpointHealth local(Namespace namespace, int port) {
        return read(namespace, "::", port, TableLayout.KIND_LOCAL);
    }

    private EndpointHealth read(Namespace namespace, String host, int port, int kind) {
        EndpointAddress address = Objects.requireNonNull(EndpointAddress.parse(host, port));
        EndpointHealth health = new EndpointHealth();
        try (HealthTable open = HealthTable.open(table, NanoClock.system())) {
            long netns = namespace.inode();
            int slot = open.find(netns, address.hi(), address.lo(), port, kind);
            open.read(slot, netns, address.hi(), address.lo(), port, kind, health);
        } catch (TableException e) {
            throw new IllegalStateException(e);
        }
        return health;
    }

    /** As {@code kill -9} does; the table is left to another file's writer. */
    void kill() {
        process.destroyForcibly();
        await();
    }

    private void await() {
        try {
            if (!process.waitFor(20, TimeUnit.SECONDS)) {
                process.destroyForcibly();
                throw new IllegalStateException("the process did not end");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() {
        try {
            process.getOutputStream().close();
        } catch (IOException e) {
            process.destroyForcibly();
        }
        await();
    }
}

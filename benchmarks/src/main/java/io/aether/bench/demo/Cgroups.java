// SPDX-License-Identifier: Apache-2.0
package io.aether.bench.demo;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A cgroup of its own for every process, under one parent per demo. The v2 tree carries the BPF programs; the CPU
 * quota lies in the same tree where it has the controller, in the v1 hierarchy where the system is hybrid.
 */
public final class Cgroups implements AutoCloseable {

    private static final int PERIOD_US = 100_000;

    /** Five seconds: a process dies when it gets a processor, and a busy machine lets it wait. */
    private static final int ATTEMPTS = 250;

    private static final long PAUSE_NANOS = 20_000_000;

    private final Path parent;
    private final @Nullable Path cpuParent;

    private Cgroups(Path parent, @Nullable Path cpuParent) {
        this.parent = parent;
        this.cpuParent = cpuParent;
    }

    /** Makes the parents, named {@code name}. */
    public static Cgroups create(String name) throws IOException {
        Path parent = Files.createDirectories(version2().resolve(name));
        if (Files.readString(parent.resolve("cgroup.controllers")).contains("cpu")) {
            Files.writeString(parent.resolve("cgroup.subtree_control"), "+cpu");
            return new Cgroups(parent, null);
        }
        Path v1 = mount("cgroup", "cpu");
        return new Cgroups(parent, v1 == null ? null : Files.createDirectories(v1.resolve(name)));
    }

    /** Root of the v2 tree. */
    public static Path version2() throws IOException {
        Path root = mount("cgroup2", "");
        if (root == null) {
            throw new IOException("no cgroup v2 is mounted");
        }
        return root;
    }

    private static @Nullable Path mount(String type, String option) throws IOException {
        return Files.readAllLines(Path.of("/proc/mounts")).stream()
                .map(line -> line.split(" ", -1))
                .filter(fields -> fields[2].equals(type))
                .filter(fields -> option.isEmpty()
                        || Arrays.asList(fields[3].split(",", -1)).contains(option))
                .map(fields -> Path.of(fields[1]))
                .findFirst()
                .orElse(null);
    }

    /** The v2 directory above all processes of the demo. */
    public Path parent() {
        return parent;
    }

    /** Makes the cgroups of a process and returns the files that a member writes its pid to. */
    List<Path> join(String name) throws IOException {
        List<Path> files = new ArrayList<>();
        files.add(Files.createDirectories(parent.resolve(name)).resolve("cgroup.procs"));
        if (cpuParent != null) {
            files.add(Files.createDirectories(cpuParent.resolve(name)).resolve("cgroup.procs"));
        }
        return files;
    }

    /** Limits a process's cgroup to {@code micros} of CPU time in every 100 ms; 0 lifts the limit. */
    public void quota(String name, int micros) throws IOException {
        if (cpuParent != null) {
            Path directory = cpuParent.resolve(name);
            Files.writeString(directory.resolve("cpu.cfs_period_us"), Integer.toString(PERIOD_US));
            Files.writeString(directory.resolve("cpu.cfs_quota_us"), Integer.toString(micros == 0 ? -1 : micros));
        } else {
            Files.writeString(
                    parent.resolve(name).resolve("cpu.max"), (micros == 0 ? "max" : micros) + " " + PERIOD_US);
        }
    }

    /**
     * Gives a process's cgroup so much of the CPU, where others want it too.
     *
     * @param percent of what each of the others has; 100 as at first
     */
    void weight(String name, int percent) throws IOException {
        if (cpuParent != null) {
            Files.writeString(cpuParent.resolve(name).resolve("cpu.shares"), Integer.toString(1024 * percent / 100));
        } else {
            Files.writeString(parent.resolve(name).resolve("cpu.weight"), Integer.toString(percent));
        }
    }

    /** Kills every process inside, and those that they start meanwhile. Returns when none is left, or after five seconds. */
    void kill() throws IOException {
        try (Stream<Path> children = Files.list(parent)) {
            for (Path child : children.filter(Files::isDirectory).toList()) {
                Path members = child.resolve("cgroup.procs");
                List<String> left = Files.readAllLines(members);
                for (int attempt = 0; !left.isEmpty() && attempt < ATTEMPTS; attempt++) {
                    left.forEach(
                            pid -> ProcessHandle.of(Long.parseLong(pid)).ifPresent(ProcessHandle::destroyForcibly));
                    LockSupport.parkNanos(PAUSE_NANOS);
                    left = Files.readAllLines(members);
                }
            }
        }
    }

    /** Removes everything; the processes must be gone. */
    @Override
    public void close() throws IOException {
        remove(parent);
        if (cpuParent != null) {
            remove(cpuParent);
        }
    }

    private static void remove(Path directory) throws IOException {
        try (Stream<Path> children = Files.list(directory)) {
            for (Path child : children.filter(Files::isDirectory).toList()) {
                removeEmpty(child);
            }
        } catch (NoSuchFileException e) {
            return;
        }
        removeEmpty(directory);
    }

    /** A cgroup stays busy for a moment after its last process has died. */
    private static void removeEmpty(Path directory) throws IOException {
        for (int attempt = 0; ; attempt++) {
            try {
                Files.deleteIfExists(directory);
                return;
            } catch (IOException e) {
                if (attempt == ATTEMPTS) {
                    throw e;
                }
                LockSupport.parkNanos(PAUSE_NANOS);
            }
        }
    }
}

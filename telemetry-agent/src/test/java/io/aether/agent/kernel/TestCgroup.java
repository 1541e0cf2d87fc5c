// SPDX-License-Identifier: Apache-2.0
package io.aether.agent.kernel;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;

/** A version 2 cgroup of its own for one test; optionally with a CPU quota, wherever the cpu controller lives. */
public final class TestCgroup implements AutoCloseable {
    private static final AtomicInteger NUMBER = new AtomicInteger();
    private static final int PERIOD_MICROS = 100_000;

    private final Path directory;
    private final Path quotaDirectory;

    private TestCgroup(Path directory, Path quotaDirectory) {
        this.directory = directory;
        this.quotaDirectory = quotaDirectory;
    }

    /** Directly below the root of the version 2 tree. */
    public static TestCgroup create() throws IOException {
        return create(KernelTests.cgroup2Root().orElseThrow());
    }

    /** Below another one. */
    public TestCgroup child() throws IOException {
        return create(directory);
    }

    private static TestCgroup create(Path parent) throws IOException {
        String name = "aether-test-" + ProcessHandle.current().pid() + "-" + NUMBER.incrementAndGet();
        Path directory = Files.createDirectory(parent.resolve(name));
        Path quota =
                KernelTests.cgroup1Root("cpu").map(root -> root.resolve(name)).orElse(directory);
        return new TestCgroup(directory, quota);
    }

    public Path directory() {
        return directory;
    }

    /** As the kernel programs know it. */
    public long id() throws IOException {
        return ((Number) Files.getAttribute(directory, "unix:ino")).longValue();
    }

    /** Moves a process here. Its sockets belong to the cgroup in which it opened them. */
    public void add(long pid) throws IOException {
        Files.writeString(directory.resolve("cgroup.procs"), Long.toString(pid));
        if (!quotaDirectory.equals(directory) && Files.isDirectory(quotaDirectory)) {
            Files.writeString(quotaDirectory.resolve("cgroup.procs"), Long.toString(pid));
        }
    }

    /** Limits the processes that are added from now on to this share of one CPU. */
    public void limitCpu(double share) throws IOException {
        long micros = Math.round(share * PERIOD_MICROS);
        if (quotaDirectory.equals(directory)) {
            Files.writeString(directory.getParent().resolve("cgroup.subtree_control"), "+cpu");
            Files.writeString(directory.resolve("cpu.max"), micros + " " + PERIOD_MICROS);
            return;
        }
        if (!Files.isDirectory(quotaDirectory)) {
            Files.createDirectory(quotaDirectory);
        }
        Files.writeString(quotaDirectory.resolve("cpu.cfs_period_us"), Integer.toString(PERIOD_MICROS));
        Files.writeString(quotaDirectory.resolve("cpu.cfs_quota_us"), Long.toString(micros));
    }

    /** Close the processes first: a cgroup with processes cannot be removed. */
    @Override
    public void close() {
        remove(directory);
        if (!quotaDirectory.equals(directory)) {
            remove(quotaDirectory);
        }
    }

    private static void remove(Path cgroup) {
        try {
            KernelTests.await(
                    Duration.ofSeconds(5),
                    () -> !Files.exists(cgroup) || cgroup.toFile().delete());
            if (Files.exists(cgroup)) {
                throw new UncheckedIOException(new IOException("cannot remove " + cgroup));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}

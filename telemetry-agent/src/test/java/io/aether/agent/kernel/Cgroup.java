// SPDX-License-Identifier: Apache-2.0
package io.aether.agent.kernel;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;

/** A cgroup of its own; closing it kills what is inside and removes it. */
final class Cgroup implements AutoCloseable {
    private static final AtomicInteger COUNT = new AtomicInteger();

    private final Path directory;
    private final OnExit onExit;

    /** @param parent a directory of the hierarchy to make it in */
    Cgroup(Path parent) {
        directory = parent.resolve("aether-it-" + ProcessHandle.current().pid() + "-" + COUNT.incrementAndGet());
        try {
            Files.createDirectory(directory);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
        onExit = new OnExit(this::close);
    }

    Path directory() {
        return directory;
    }

    /** The kernel's id of the cgroup: its directory's inode. */
    long id() {
        try {
            return (Long) Files.getAttribute(directory, "unix:ino");
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    void add(long pid) {
        set("cgroup.procs", Long.toString(pid));
    }

    void set(String file, String value) {
        try {
            Files.writeString(directory.resolve(file), value);
        } catch (IOException e) {
            throw new IllegalStateException(file + "=" + value, e);
        }
    }

    private boolean remove() {
        try {
            for (String pid : Files.readAllLines(directory.resolve("cgroup.procs"))) {
                ProcessHandle.of(Long.parseLong(pid)).ifPresent(ProcessHandle::destroyForcibly);
            }
            Files.delete(directory);
            return true;
        } catch (IOException busy) {
            return !Files.exists(directory);
        }
    }

    @Override
    public void close() {
        Shell.await(5_000, this::remove, () -> directory + " cannot be removed");
        onExit.forget();
    }
}

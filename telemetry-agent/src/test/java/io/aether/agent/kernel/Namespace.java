// SPDX-License-Identifier: Apache-2.0
package io.aether.agent.kernel;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** A network namespace of its own, with loopback up; closing removes it and every link in it. */
final class Namespace implements AutoCloseable {
    private static final AtomicInteger COUNT = new AtomicInteger();

    private final String name;
    private final OnExit onExit;

    Namespace() {
        name = "aether" + ProcessHandle.current().pid() + "n" + COUNT.incrementAndGet();
        Shell.run("ip", "netns", "add", name);
        onExit = new OnExit(this::close);
        ip("link", "set", "lo", "up");
    }

    /** Inode of the namespace, the key the health table uses. */
    long inode() {
        try {
            return (Long) Files.getAttribute(Path.of("/run/netns", name), "unix:ino");
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    /** The command that runs {@code command} inside. */
    List<String> inside(List<String> command) {
        List<String> all = new ArrayList<>(List.of("ip", "netns", "exec", name));
        all.addAll(command);
        return all;
    }

    String name() {
        return name;
    }

    void ip(String... arguments) {
        List<String> command = new ArrayList<>(List.of("ip", "-n", name));
        command.addAll(List.of(arguments));
        Shell.run(command.toArray(String[]::new));
    }

    /** What {@code ss} knows of the connections to a port: the oracle for the programs' figures. */
    String sockets(int port) {
        return Shell.run("ip", "netns", "exec", name, "ss", "-Htin", "dport", "=", ":" + port);
    }

    /** Writes to a file below /proc/sys, as this namespace has it. */
    void set(String file, String value) {
        Shell.run("ip", "netns", "exec", name, "sh", "-c", "echo " + value + " > /proc/sys/" + file);
    }

    @Override
    public void close() {
        Shell.run("ip", "netns", "del", name);
        onExit.forget();
    }
}

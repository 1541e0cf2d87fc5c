// SPDX-License-Identifier: Apache-2.0
package io.aether.bench;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** What every benchmark asks of the machine that it runs on: short system commands and cgroups. Thread-safe. */
public final class Host {
    /** Loading 100,000 networks into nftables is the longest command of all. */
    private static final long SECONDS = 90;

    private Host() {}

    /**
     * Runs a command to its end.
     *
     * @return what it printed, both streams together, without white space around
     * @throws IOException if it cannot be run, fails or takes more than 90 s; the message names it and has its output
     */
    public static String run(String... command) throws IOException {
        return feed("", command);
    }

    /** As {@link #run}, with something to read. */
    public static String feed(String input, String... command) throws IOException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        try (Writer writer = process.outputWriter(UTF_8)) {
            writer.write(input);
        } catch (IOException e) {
            if (!input.isEmpty()) { // else it only ended before it could be told that there is nothing to read
                throw e;
            }
        }
        String output = new String(process.getInputStream().readAllBytes(), UTF_8).strip();
        String name = "'" + String.join(" ", List.of(command)) + "'";
        try {
            if (!process.waitFor(SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly();
                throw new IOException(name + " took more than " + SECONDS + " s");
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
            throw new IOException(name + ": interrupted", e);
        }
        if (process.exitValue() != 0) {
            throw new IOException(name + " failed: " + output);
        }
        return output;
    }

    /** Whether this process runs as root. */
    public static boolean root() {
        try {
            return Integer.valueOf(0).equals(Files.getAttribute(Path.of("/proc/self"), "unix:uid"));
        } catch (IOException | UnsupportedOperationException | IllegalArgumentException e) {
            return false;
        }
    }

    /** Has the calling thread run whenever it can, before everything of ordinary priority; its children are ordinary. */
    public static void hurry() throws IOException {
        run(
                "chrt",
                "-R",
                "-f",
                "-p",
                "1",
                Path.of("/proc/thread-self").toRealPath().getFileName().toString());
    }

    /** This process's cgroup, relative to the root of the version 2 hierarchy. */
    public static String cgroup() throws IOException {
        return Files.readAllLines(Path.of("/proc/self/cgroup")).stream()
                .filter(line -> line.startsWith("0::/"))
                .findFirst()
                .orElseThrow(() -> new IOException("this process is in no cgroup of version 2"))
                .substring("0::/".length());
    }

    /** Moves a process into a cgroup. */
    public static void move(long pid, Path cgroup) throws IOException {
        Files.writeString(cgroup.resolve("cgroup.procs"), Long.toString(pid));
    }

    /**
     * Removes a cgroup without members, if there is one. The kernel lets go of it a little after its last process: up to 2 s
     * are given.
     */
    public static void remove(Path cgroup) throws InterruptedException {
        for (int i = 0; i < 100 && Files.exists(cgroup); i++) {
            if (!cgroup.toFile().delete()) {
                Thread.sleep(20);
            }
        }
    }
}

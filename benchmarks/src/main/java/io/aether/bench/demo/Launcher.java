// SPDX-License-Identifier: Apache-2.0
package io.aether.bench.demo;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Starts processes, each in its cgroup and, if asked, in a network namespace. */
public final class Launcher {

    /** Enters the cgroups named before {@code --} and becomes the command after it: the pid stays the same. */
    private static final String ENTER =
            "while [ \"$1\" != -- ]; do echo $$ > \"$1\" || exit 99; shift; done; shift; exec \"$@\"";

    private final @Nullable Cgroups cgroups;
    private final Path logs;

    public Launcher(@Nullable Cgroups cgroups, Path logs) {
        this.cgroups = cgroups;
        this.logs = logs;
    }

    /**
     * Starts a command with its output in a log file named after it.
     *
     * @param name name of the log
     * @param cgroup cgroup to start in, or null for the runner's
     * @param namespace namespace to start in, or null for the runner's
     */
    public Process start(
            String name, @Nullable String cgroup, @Nullable NetworkNamespace namespace, List<String> command)
            throws IOException {
        ProcessBuilder builder = builder(cgroup, namespace, command);
        builder.redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log(name).toFile()));
        return builder.start();
    }

    /** The same for one that is talked to: its output is for whoever starts it, and only its errors go to the log. */
    public Process converse(String name, @Nullable String cgroup, List<String> command) throws IOException {
        ProcessBuilder builder = builder(cgroup, null, command);
        builder.redirectError(ProcessBuilder.Redirect.appendTo(log(name).toFile()));
        return builder.start();
    }

    private ProcessBuilder builder(@Nullable String cgroup, @Nullable NetworkNamespace namespace, List<String> command)
            throws IOException {
        List<String> full = new ArrayList<>();
        if (cgroups != null && cgroup != null) {
            full.addAll(List.of("sh", "-c", ENTER, "sh"));
            cgroups.join(cgroup).forEach(file -> full.add(file.toString()));
            full.add("--");
        }
        if (namespace != null) {
            full.addAll(List.of("nsenter", "--net=" + namespace.path()));
        }
        full.addAll(command);
        ProcessBuilder builder = new ProcessBuilder(full);
        // One arena per process keeps glibc from reserving memory for every thread.
        builder.environment().put("MALLOC_ARENA_MAX", "2");
        return builder;
    }

    public Path log(String name) throws IOException {
        return Files.createDirectories(logs).resolve(name + ".log");
    }

    /** Ends a process and waits until it is gone: politely first, unless {@code now}. */
    public static void end(Process process, boolean now) {
        try {
            if (!now) {
                process.destroy();
                if (process.waitFor(10, TimeUnit.SECONDS)) {
                    return;
                }
            }
            process.destroyForcibly().waitFor(5, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}

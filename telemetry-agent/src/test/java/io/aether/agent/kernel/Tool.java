// SPDX-License-Identifier: Apache-2.0
package io.aether.agent.kernel;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** A program that runs in a namespace and in the watched cgroup; closing it ends it. */
final class Tool implements AutoCloseable {
    private final Process process;

    Tool(Namespace namespace, String... command) {
        try {
            process = new ProcessBuilder(watched(namespace, command))
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Runs one to its end and returns what it printed. */
    static String run(Namespace namespace, String... command) {
        return Shell.run(watched(namespace, command).toArray(String[]::new));
    }

    private static List<String> watched(Namespace namespace, String... command) {
        String enter = "echo $$ > " + Area.directory() + "/cgroup.procs && exec \"$@\"";
        return Stream.concat(List.of("sh", "-c", enter, "sh").stream(), namespace.inside(List.of(command)).stream())
                .toList();
    }

    boolean runs() {
        return process.isAlive();
    }

    @Override
    public void close() {
        process.destroyForcibly();
        try {
            process.waitFor(5, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.aether.bench.incast;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A process of this benchmark in a network namespace and a cgroup; closing it ends it. */
final class Child implements AutoCloseable {
    private static final long SECONDS = 10;

    private final Process process;
    private final Writer commands;
    private final BufferedReader answers;

    Child(String namespace, Path cgroup, Class<?> main) throws IOException {
        process = new ProcessBuilder(List.of(
                        "ip",
                        "netns",
                        "exec",
                        namespace,
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-XX:+UseSerialGC",
                        "-Xmx32m",
                        "-Djava.net.preferIPv4Stack=true",
                        "-cp",
                        System.getProperty("java.class.path"),
                        main.getName()))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        // It opens no socket before its first command.
        Files.writeString(cgroup.resolve("cgroup.procs"), Long.toString(process.pid()));
        commands = process.outputWriter(US_ASCII);
        answers = process.inputReader(US_ASCII);
    }

    /** Sends a command and returns the answer to it. */
    String tell(String command) throws IOException {
        commands.append(command).append('\n').flush();
        String answer = answers.readLine();
        if (answer == null) {
            throw new IOException("'" + command + "': the process has ended");
        }
        return answer;
    }

    @Override
    public void close() {
        try {
            process.destroyForcibly().waitFor(SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}

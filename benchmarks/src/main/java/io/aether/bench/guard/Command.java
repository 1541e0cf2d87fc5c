// SPDX-License-Identifier: Apache-2.0
package io.aether.bench.guard;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.Writer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Short system commands. */
final class Command {
    private static final long SECONDS = 90;

    private Command() {}

    static String run(String... words) throws IOException {
        return finish(new ProcessBuilder(words).redirectErrorStream(true).start(), "", List.of(words));
    }

    static String feed(String input, String... words) throws IOException {
        return finish(new ProcessBuilder(words).redirectErrorStream(true).start(), input, List.of(words));
    }

    /** What the command printed; a failure names it and says why. */
    private static String finish(Process process, String input, List<String> words) throws IOException {
        try (Writer writer = process.outputWriter(UTF_8)) {
            writer.write(input);
        }
        String output = new String(process.getInputStream().readAllBytes(), UTF_8).strip();
        try {
            if (!process.waitFor(SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly();
                throw new IOException("'" + String.join(" ", words) + "' took more than " + SECONDS + " s");
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
        if (process.exitValue() != 0) {
            throw new IOException("'" + String.join(" ", words) + "' failed: " + output);
        }
        return output;
    }

    /** A Java program of this benchmark, to be run in a network namespace. */
    static List<String> java(String namespace, Class<?> main, String... arguments) {
        List<String> command = new ArrayList<>(List.of(
                "ip",
                "netns",
                "exec",
                namespace,
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-Xmx128m",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                main.getName()));
        command.addAll(List.of(arguments));
        return command;
    }
}

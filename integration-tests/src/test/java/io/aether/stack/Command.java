// SPDX-License-Identifier: Apache-2.0
package io.aether.stack;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.aether.grafana.Repository;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Runs programs of this machine in the repository's top folder. */
final class Command {

    private Command() {}

    /**
     * What became of one.
     *
     * @param output standard output and error together
     */
    record Result(int exitCode, String output) {}

    /** Output of a program that ends with 0 in time. */
    static String run(Map<String, String> environment, Duration limit, List<String> command) {
        Result result = result(environment, limit, command);
        if (result.exitCode() != 0) {
            throw new IllegalStateException(
                    String.join(" ", command) + " ended with " + result.exitCode() + ": " + result.output());
        }
        return result.output();
    }

    static Result result(Map<String, String> environment, Duration limit, List<String> command) {
        try {
            Path output = Files.createTempFile("aether", ".out");
            try {
                ProcessBuilder builder = new ProcessBuilder(command)
                        .directory(Repository.HOME.toFile())
                        .redirectErrorStream(true)
                        .redirectOutput(output.toFile());
                builder.environment().putAll(environment);
                Process process = builder.start();
                if (!process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS)) {
                    process.destroyForcibly().waitFor();
                    throw new IllegalStateException(String.join(" ", command) + " took longer than " + limit + ": "
                            + Files.readString(output, UTF_8));
                }
                return new Result(process.exitValue(), Files.readString(output, UTF_8));
            } finally {
                Files.delete(output);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.aether.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.aether.bench.demo.Images;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A benchmark or demo as a user runs it: in a process of its own, to its end.
 *
 * @param said all that it printed
 * @param figures the file of figures that it wrote
 */
public record BenchRun(String said, String figures) {

    /** The repository. */
    public static final Path HOME = Path.of("..").toAbsolutePath().normalize();

    /** Runs {@code main} with {@code --json} and these arguments; it has to succeed within so many minutes. */
    public static BenchRun of(Class<?> main, Path directory, long minutes, String... arguments)
            throws IOException, InterruptedException {
        Path json = directory.resolve("figures.json");
        Path log = directory.resolve("log");
        List<String> command = new ArrayList<>(List.of(
                Images.java(),
                "-Daether.home=" + HOME,
                "-cp",
                System.getProperty("java.class.path"),
                main.getName(),
                "--json",
                json.toString()));
        command.addAll(List.of(arguments));
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        try {
            assertThat(process.waitFor(minutes, TimeUnit.MINUTES))
                    .as(Files.readString(log))
                    .isTrue();
        } finally {
            process.destroy();
            process.waitFor(1, TimeUnit.MINUTES);
        }
        String said = Files.readString(log);
        assertThat(process.exitValue()).as(said).isZero();
        return new BenchRun(said, Files.readString(json));
    }

    /** The value of a row. */
    public double value(String row) {
        Matcher matcher =
                Pattern.compile("\"name\":\"" + row + "\",\"value\":([0-9.]+)").matcher(figures);
        assertThat(matcher.find()).as(row + " in " + figures).isTrue();
        return Double.parseDouble(matcher.group(1));
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.aether.bench.peers;

import static org.assertj.core.api.Assertions.assertThat;

import io.aether.bench.demo.Images;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The benchmark as a user runs it, with two policies: real servers, real TCP, a real fault. */
class PeersIT {
    private static final Path HOME = Path.of("..").toAbsolutePath().normalize();
    private static final long MINUTES = 3;

    @TempDir
    private Path directory;

    @Test
    void aServerThatFailsFastIsLeft() throws Exception {
        Path json = directory.resolve("figures.json");
        Path log = directory.resolve("log");
        Process bench = new ProcessBuilder(List.of(
                        Images.java(),
                        "-Daether.home=" + HOME,
                        "-cp",
                        System.getProperty("java.class.path"),
                        PeersBench.class.getName(),
                        "--quick",
                        "--faults",
                        "errors",
                        "--policies",
                        "round-robin,aether-application",
                        "--json",
                        json.toString()))
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        try {
            assertThat(bench.waitFor(MINUTES, TimeUnit.MINUTES))
                    .as(Files.readString(log))
                    .isTrue();
        } finally {
            bench.destroy();
            bench.waitFor(1, TimeUnit.MINUTES);
        }
        String said = Files.readString(log);
        assertThat(bench.exitValue()).as(said).isZero();
        String figures = Files.readString(json);
        assertThat(value(figures, "errors round-robin errors")).as(said).isBetween(15.0, 25.0);
        assertThat(value(figures, "errors aether-application errors")).as(said).isLessThan(5);
        assertThat(value(figures, "errors round-robin p50")).as(said).isBetween(3.0, 50.0);
    }

    private static double value(String json, String row) {
        Matcher matcher =
                Pattern.compile("\"name\":\"" + row + "\",\"value\":([0-9.]+)").matcher(json);
        assertThat(matcher.find()).as(row + " in " + json).isTrue();
        return Double.parseDouble(matcher.group(1));
    }
}

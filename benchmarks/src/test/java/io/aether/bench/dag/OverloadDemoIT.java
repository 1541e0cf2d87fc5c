// SPDX-License-Identifier: Apache-2.0
package io.aether.bench.dag;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.aether.bench.Host;
import io.aether.bench.demo.Images;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The demo as a user runs it, once: real processes, real TCP, and the agent's programs. Among what it shows: a queue that the
 * starter published has become marks in the kernel.
 */
class OverloadDemoIT {

    private static final Path HOME = Path.of("..").toAbsolutePath().normalize();
    private static final long MINUTES = 8;

    @TempDir
    private Path directory;

    @Test
    void showsWhoPaysForTheOverload() throws Exception {
        assumeTrue(Host.root(), "needs root: a network namespace, and the agent");
        Path json = directory.resolve("figures.json");
        Path log = directory.resolve("log");
        Process demo = new ProcessBuilder(List.of(
                        Images.java(),
                        "-Daether.home=" + HOME,
                        "-cp",
                        System.getProperty("java.class.path"),
                        OverloadDemo.class.getName(),
                        "--overload",
                        "--seconds",
                        "40",
                        "--json",
                        json.toString()))
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        try {
            assertThat(demo.waitFor(MINUTES, TimeUnit.MINUTES))
                    .as(Files.readString(log))
                    .isTrue();
        } finally {
            demo.destroy();
            demo.waitFor(1, TimeUnit.MINUTES);
        }
        String said = Files.readString(log);
        assertThat(demo.exitValue()).as(said).isZero();
        assertThat(said).contains("the kernel marks", "analytics-stock", "wasted", "report: ");
        String figures = Files.readString(json);
        assertThat(value(figures, "marked on")).as(said).isPositive();
        assertThat(value(figures, "wasted off")).as(said).isGreaterThan(value(figures, "wasted on"));
        assertThat(value(figures, "goodput checkout on"))
                .as(said)
                .isGreaterThan(value(figures, "goodput checkout off"));
        assertThat(value(figures, "refused analytics-stock on")).as(said).isPositive();
        assertThat(Files.readString(HOME.resolve("target/demo/overload.html")))
                .contains("\"name\":\"analytics-stock\"");
    }

    private static double value(String json, String row) {
        Matcher matcher =
                Pattern.compile("\"name\":\"" + row + "\",\"value\":([0-9.]+)").matcher(json);
        assertThat(matcher.find()).as(row + " in " + json).isTrue();
        return Double.parseDouble(matcher.group(1));
    }
}

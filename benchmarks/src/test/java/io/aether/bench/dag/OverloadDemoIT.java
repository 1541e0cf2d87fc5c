// SPDX-License-Identifier: Apache-2.0
package io.aether.bench.dag;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.aether.bench.BenchRun;
import io.aether.bench.Host;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The demo as a user runs it, once: real processes, real TCP, and the agent's programs. Among what it shows: a queue that the
 * starter published has become marks in the kernel.
 */
class OverloadDemoIT {

    private static final long MINUTES = 8;

    @TempDir
    private Path directory;

    @Test
    void showsWhoPaysForTheOverload() throws Exception {
        assumeTrue(Host.root(), "needs root: a network namespace, and the agent");
        BenchRun run = BenchRun.of(OverloadDemo.class, directory, MINUTES, "--overload", "--seconds", "40");
        assertThat(run.said()).contains("the kernel marks", "analytics-stock", "wasted", "report: ");
        assertThat(run.value("marked on")).as(run.said()).isPositive();
        assertThat(run.value("wasted off")).as(run.said()).isGreaterThan(run.value("wasted on"));
        assertThat(run.value("goodput checkout on")).as(run.said()).isGreaterThan(run.value("goodput checkout off"));
        assertThat(run.value("refused analytics-stock on")).as(run.said()).isPositive();
        assertThat(Files.readString(BenchRun.HOME.resolve("target/demo/overload.html")))
                .contains("\"name\":\"analytics-stock\"");
    }
}

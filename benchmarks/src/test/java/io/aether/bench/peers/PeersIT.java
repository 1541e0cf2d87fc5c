// SPDX-License-Identifier: Apache-2.0
package io.aether.bench.peers;

import static org.assertj.core.api.Assertions.assertThat;

import io.aether.bench.BenchRun;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The benchmark as a user runs it, with two policies: real servers, real TCP, a real fault. */
class PeersIT {
    private static final long MINUTES = 3;

    @TempDir
    private Path directory;

    @Test
    void aServerThatFailsFastIsLeft() throws Exception {
        BenchRun run = BenchRun.of(
                PeersBench.class,
                directory,
                MINUTES,
                "--quick",
                "--faults",
                "errors",
                "--policies",
                "round-robin,aether-application");
        assertThat(run.value("errors round-robin errors")).as(run.said()).isBetween(15.0, 25.0);
        assertThat(run.value("errors aether-application errors")).as(run.said()).isLessThan(5);
        assertThat(run.value("errors round-robin p50")).as(run.said()).isBetween(3.0, 50.0);
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.aether.bench.start;

import static org.assertj.core.api.Assertions.assertThat;

import io.aether.bench.BenchRun;
import io.aether.bench.Cleanup;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A real application, started with and without the starter. Times mean nothing beside other tests; memory does. */
class StartIT {
    private static final double MOST_MEGABYTES = 10;

    @TempDir
    private Path directory;

    @Test
    void theStarterTakesLittleMemory() throws Exception {
        try (Cleanup cleanup = new Cleanup(System.err)) {
            Stage stage = Stage.set(directory, cleanup);
            Application service = Application.service(BenchRun.HOME, directory);
            Figures without = stage.measure(service, false);
            Figures with = stage.measure(service, true);

            assertThat(without.start()).isPositive();
            assertThat(without.call()).isPositive();
            assertThat(with.classes() - without.classes())
                    .as("what the starter is, and not Bean Validation or the like")
                    .isBetween(100.0, 1000.0);
            assertThat(with.memory() - without.memory()).isBetween(0.5, MOST_MEGABYTES);
            assertThat(without.resident()).isGreaterThan(without.memory());
        }
    }
}

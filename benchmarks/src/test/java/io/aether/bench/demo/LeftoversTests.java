// SPDX-License-Identifier: Apache-2.0
package io.aether.bench.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.aether.bench.Host;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

class LeftoversTests {

    @Test
    @Timeout(30)
    void ofAKilledDemoAreRemoved(@TempDir Path logs) throws Exception {
        assumeTrue(Host.root(), "cgroups and network namespaces need root");
        Process killed = new ProcessBuilder("true").start();
        killed.waitFor();
        long id = killed.pid();
        String name = Leftovers.PREFIX + id;
        Cgroups cgroups = Cgroups.create(name);
        NetworkNamespace namespace = NetworkNamespace.create(id);
        Path shared = Files.createDirectories(Stage.SHARED.resolve(name));
        Process orphan = new Launcher(cgroups, logs).start("orphan", "orphan", namespace, List.of("sleep", "60"));
        Path command = Path.of("/proc", Long.toString(orphan.pid()), "comm");
        while (!Files.readString(command).strip().equals("sleep")) {
            Thread.onSpinWait(); // Before that it is on its way into the cgroup.
        }
        Host.run("kill", "-STOP", Long.toString(orphan.pid()));

        assertThat(Leftovers.remove()).isPositive();

        assertThat(orphan.waitFor(5, TimeUnit.SECONDS)).isTrue();
        assertThat(cgroups.parent()).doesNotExist();
        assertThat(Path.of(namespace.path())).doesNotExist();
        assertThat(shared).doesNotExist();
    }
}

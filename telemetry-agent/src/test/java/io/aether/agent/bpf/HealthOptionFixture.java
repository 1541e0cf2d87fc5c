// SPDX-License-Identifier: Apache-2.0
package io.aether.agent.bpf;

import static org.assertj.core.api.Assertions.assertThat;

import io.aether.agent.kernel.KernelTests;
import io.aether.agent.kernel.TestCgroup;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** Common ground of the tests of the health option: a cgroup of its own, and an agent that takes every peer for remote. */
abstract class HealthOptionFixture {
    static final Duration SOON = Duration.ofSeconds(5);
    static final Duration HALF_A_SECOND = Duration.ofMillis(500);
    static final int STALL_AGE = 112;
    static final int PRESSURE = 130;
    static final int SOURCE = 131;
    static final int IN_FLIGHT = 132;
    static final int FROM_NODE = 1;
    static final int FROM_OPTION = 2;

    @TempDir
    Path directory;

    TestCgroup cgroup;

    @BeforeEach
    void createCgroup() throws IOException {
        KernelTests.assumeKernel();
        cgroup = TestCgroup.create();
    }

    @AfterEach
    void removeCgroup() {
        if (cgroup != null) {
            cgroup.close();
        }
    }

    /** As if every peer lived on another node. */
    ProbeSettings apart() {
        return ProbeSettings.defaults(directory.resolve("health"), cgroup.directory())
                .withProbes(true, true, false)
                .withNodeReports(false);
    }

    static KernelProbes start(ProbeSettings settings) {
        KernelProbes probes = KernelProbes.open(settings);
        assertThat(probes.attach())
                .filteredOn(status -> status.name().equals("health"))
                .singleElement()
                .satisfies(
                        status -> assertThat(status.state()).as(status.reason()).isEqualTo(ProbeStatus.State.ATTACHED));
        probes.startPump();
        return probes;
    }

    TestTable table() throws IOException {
        return new TestTable(directory.resolve("health"));
    }
}

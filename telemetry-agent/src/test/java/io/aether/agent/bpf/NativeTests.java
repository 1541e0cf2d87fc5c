// SPDX-License-Identifier: Apache-2.0
package io.aether.agent.bpf;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.aether.core.NanoClock;
import io.aether.core.table.HealthTable;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

@EnabledOnOs(OS.LINUX)
class NativeTests {
    /** Version, sizes, then the offsets of the header's and of the slot's fields in the order of the header file. */
    private static final int[] ABI = {
        1, 4096, 256, 64, // version, header, slot, probe limit
        0, 8, 12, 16, 20, 24, 40, 44, 48, 56, 64, // header: magic to refused
        0, 4, 5, 6, 8, 16, // slot: seq, kind, flags, port, netns, addr
        32, 40, 44, 48, 52, 56, 60, 64, 72, 80, 84, 88, // path
        32, 40, 44, 48, 52, 56, 60, 64, 72, 80, // queue
        96, 104, 112, 116, 120, 124, 128, 130, 131, 132, 136, 140, // report
        160, 168, 172, 176, 184, 192, 200, // http
        208, 216, 224, 232, 236, 238, // ecn
    };

    @TempDir
    Path directory;

    @Test
    void layoutIsTheOneTheReaderExpects() {
        NativeLibrary.load();
        assertThat(Native.abi()).containsExactly(ABI);
    }

    @Test
    void unwritableTableIsNamed() throws Exception {
        Path file = Files.createFile(directory.resolve("plain"));
        ProbeSettings settings = ProbeSettings.defaults(file.resolve("health"), directory);
        assertThatThrownBy(() -> KernelProbes.open(settings))
                .isInstanceOf(ProbesUnavailableException.class)
                .hasMessageContaining(file.resolve("health").toString())
                .hasMessageContaining("set another path");
    }

    @Test
    void tableNeedsNoPrivilegeAndIsMarkedDeadAtTheEnd() throws Exception {
        Path file = directory.resolve("run").resolve("health");
        HealthTable table;
        try (KernelProbes probes = KernelProbes.open(ProbeSettings.defaults(file, directory))) {
            table = HealthTable.open(file, NanoClock.system());
            assertThat(table.alive()).isTrue();
            assertThat(probes.counters().usedSlots()).isZero();
        }
        assertThat(table.alive()).isFalse();
        assertThat(Files.size(file)).isEqualTo(4096 + 4096 * 256);
    }

    @Test
    void tableHasOneWriter() {
        ProbeSettings settings = ProbeSettings.defaults(directory.resolve("health"), directory);
        try (KernelProbes first = KernelProbes.open(settings)) {
            assertThat(first.counters().ticks()).isZero();
            assertThatThrownBy(() -> KernelProbes.open(settings))
                    .isInstanceOf(ProbesUnavailableException.class)
                    .hasMessageContaining("another agent");
        }
    }

    @Test
    void tableIsAliveWithoutAnyProbe() {
        ProbeSettings settings = ProbeSettings.defaults(directory.resolve("health"), Path.of("/proc"))
                .withControl(ControlSettings.on());
        try (KernelProbes probes = KernelProbes.open(settings)) {
            assertThat(probes.attach()).allSatisfy(status -> {
                assertThat(status.state()).isEqualTo(ProbeStatus.State.UNSUPPORTED);
                assertThat(status.reason()).contains("/proc is not a version 2 cgroup");
            });
            probes.startPump();
            await().until(() -> probes.counters().ticks() > 10);
        }
    }

    @Test
    void newAgentReplacesTheFileSoThatOldReadersNotice() throws Exception {
        Path file = directory.resolve("health");
        ProbeSettings settings = ProbeSettings.defaults(file, directory).withSlots(64);
        KernelProbes.open(settings).close();
        Object first = Files.getAttribute(file, "unix:ino");
        Path kept = Files.createLink(directory.resolve("kept"), file);
        KernelProbes.open(settings).close();
        assertThat(Files.getAttribute(file, "unix:ino")).isNotEqualTo(first);
        assertThat(Files.size(kept)).isEqualTo(4096 + 64 * 256);
    }
}

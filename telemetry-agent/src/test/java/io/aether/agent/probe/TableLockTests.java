// SPDX-License-Identifier: Apache-2.0
package io.aether.agent.probe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.aether.core.table.TableLayout;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

class TableLockTests {
    private static final long NOW = 5_000_000_000L;
    /** Above the kernel's largest process id. */
    private static final int NOBODY = 1 << 30;

    @TempDir
    Path directory;

    @Test
    void makesTheDirectoryAndNamesTheHolder() throws Exception {
        Path table = directory.resolve("run/aether/health");

        try (TableLock lock = TableLock.take(table)) {
            assertThat(lock).isNotNull();
            assertThat(Files.readString(table.resolveSibling("health.lock")).strip())
                    .isEqualTo(Long.toString(ProcessHandle.current().pid()));
            assertThatThrownBy(() -> TableLock.take(table)).isInstanceOf(TableInUseException.class);
        }
        TableLock.take(table).close();
    }

    @Test
    void saysWhatIsInTheWay() throws Exception {
        Path file = Files.createFile(directory.resolve("file"));

        assertThatThrownBy(() -> TableLock.take(file.resolve("health")))
                .isInstanceOf(TableUnwritableException.class)
                .hasMessageContaining(file + " is not a directory");
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void removesTheTableOfAKilledWriterOnly() throws Exception {
        Path table = directory.resolve("health");

        write(table, NOBODY);
        TableLock.removeOfKilledWriter(table, () -> NOW);
        assertThat(table).doesNotExist();

        write(table, 1);
        TableLock.removeOfKilledWriter(table, () -> NOW);
        assertThat(table).exists();
    }

    /** A table without endpoints whose writer beat just now. */
    private static void write(Path table, int pid) throws IOException {
        UUID boot = UUID.fromString(
                Files.readString(Path.of("/proc/sys/kernel/random/boot_id")).strip());
        int slots = 64;
        ByteBuffer bytes = ByteBuffer.allocate(TableLayout.HEADER_SIZE + slots * TableLayout.SLOT_SIZE);
        bytes.putLong(TableLayout.BOOT_ID_OFFSET, boot.getMostSignificantBits());
        bytes.putLong(TableLayout.BOOT_ID_OFFSET + 8, boot.getLeastSignificantBits());
        bytes.order(ByteOrder.LITTLE_ENDIAN)
                .putLong(TableLayout.MAGIC_OFFSET, TableLayout.MAGIC)
                .putInt(TableLayout.ABI_VERSION_OFFSET, TableLayout.ABI_VERSION)
                .putInt(TableLayout.HEADER_SIZE_OFFSET, TableLayout.HEADER_SIZE)
                .putInt(TableLayout.SLOT_COUNT_OFFSET, slots)
                .putInt(TableLayout.SLOT_SIZE_OFFSET, TableLayout.SLOT_SIZE)
                .putInt(TableLayout.WRITER_PID_OFFSET, pid)
                .putLong(TableLayout.HEARTBEAT_NS_OFFSET, NOW);
        Files.write(table, bytes.array());
    }
}

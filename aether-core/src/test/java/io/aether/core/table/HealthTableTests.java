// SPDX-License-Identifier: Apache-2.0
package io.aether.core.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class HealthTableTests {
    private static final long NETNS = 4026531840L;
    private static final int PEER = TableLayout.KIND_PEER;
    private static final EndpointAddress ADDRESS = TableFile.address("10.1.2.3", 8080);

    @TempDir
    private Path directory;

    private Path file;
    private long now = 5_000_000_000L;
    private final EndpointHealth written = new EndpointHealth();
    private final EndpointHealth read = new EndpointHealth();

    @BeforeEach
    void write() {
        file = directory.resolve("health");
        written.flags = TableLayout.FLAG_CONGESTED;
        written.pathTimeNanos = 4_999_000_000L;
        written.srttMicros = 0xfffffff0L; // More than a signed int holds.
        written.minRttMicros = 20;
        written.pressure = 200;
        written.throttledPermille = 1000;
    }

    private static boolean read(HealthTable table, int slot, EndpointAddress address, EndpointHealth into) {
        return table.read(slot, NETNS, address.hi(), address.lo(), address.port(), PEER, into);
    }

    private static int find(HealthTable table, EndpointAddress address) {
        return table.find(NETNS, address.hi(), address.lo(), address.port(), PEER);
    }

    private HealthTable open() throws TableException {
        return HealthTable.open(file, () -> now);
    }

    @Test
    void readsWhatWasWritten() throws Exception {
        int slot = TableFile.create(file, 64, now).put(NETNS, ADDRESS, PEER, written);
        HealthTable table = open();

        assertThat(find(table, ADDRESS)).isEqualTo(slot);
        assertThat(read(table, slot, ADDRESS, read)).isTrue();
        assertThat(read.congested()).isTrue();
        assertThat(read.stalled()).isFalse();
        assertThat(read.srttMicros).isEqualTo(0xfffffff0L);
        assertThat(read.minRttMicros).isEqualTo(20);
        assertThat(read.pressure).isEqualTo(200);
        assertThat(read.throttledPermille).isEqualTo(1000);
        assertThat(read.reportTimeNanos).isZero();
    }

    @Test
    void keysDifferInEveryPart() throws Exception {
        TableFile.create(file, 64, now).put(NETNS, ADDRESS, PEER, written);
        HealthTable table = open();

        assertThat(find(table, TableFile.address("10.1.2.3", 8081))).isEqualTo(-1);
        assertThat(find(table, TableFile.address("10.1.2.4", 8080))).isEqualTo(-1);
        assertThat(table.find(NETNS + 1, ADDRESS.hi(), ADDRESS.lo(), 8080, PEER))
                .isEqualTo(-1);
        assertThat(table.find(NETNS, ADDRESS.hi(), ADDRESS.lo(), 8080, TableLayout.KIND_LOCAL))
                .isEqualTo(-1);
    }

    @Test
    void findsEveryEndpointOfAFullTableAndStopsForOthers() throws Exception {
        TableFile writer = TableFile.create(file, 64, now);
        for (int port = 1; port <= 64; port++) {
            writer.put(NETNS, TableFile.address("10.0.0.1", port), PEER, written);
        }
        HealthTable table = open();

        for (int port = 1; port <= 64; port++) {
            EndpointAddress address = TableFile.address("10.0.0.1", port);
            assertThat(read(table, find(table, address), address, read)).isTrue();
        }
        assertThat(find(table, ADDRESS)).isEqualTo(-1);
    }

    @Test
    void stepsOverTombstones() throws Exception {
        TableFile writer = TableFile.create(file, 2, now);
        EndpointAddress other = TableFile.address("10.0.0.2", 1);
        int first = writer.put(NETNS, other, PEER, written);
        writer.put(NETNS, ADDRESS, PEER, written);
        writer.kind(first, TableLayout.KIND_TOMBSTONE);
        HealthTable table = open();

        assertThat(find(table, ADDRESS)).isEqualTo(1 - first);
        assertThat(find(table, other)).isEqualTo(-1);
        assertThat(read(table, first, other, read)).isFalse();
    }

    @Test
    void aSlotThatIsBeingWrittenIsUnknown() throws Exception {
        TableFile writer = TableFile.create(file, 64, now);
        int slot = writer.put(NETNS, ADDRESS, PEER, written);
        HealthTable table = open();
        writer.sequence(slot, 3);

        assertThat(read(table, slot, ADDRESS, read)).isFalse();
        assertThat(read.pathTimeNanos).isZero();
        assertThat(read.flags).isZero();
        writer.sequence(slot, 4);
        assertThat(read(table, slot, ADDRESS, read)).isTrue();
    }

    @Test
    void neverMixesTwoWrites() throws Exception {
        TableFile writer = TableFile.create(file, 64, now);
        int slot = writer.put(NETNS, ADDRESS, PEER, written);
        HealthTable table = open();
        AtomicBoolean stop = new AtomicBoolean();
        Thread pump = new Thread(() -> {
            for (long i = 1; !stop.get(); i++) {
                written.pathTimeNanos = i;
                written.srttMicros = i & 0xffff;
                written.ecnTimeNanos = i;
                writer.put(NETNS, ADDRESS, PEER, written);
            }
        });
        pump.start();
        int good = 0;
        for (int i = 0; i < 200_000; i++) {
            if (read(table, slot, ADDRESS, read) && read.ecnTimeNanos != 0) {
                good++;
                assertThat(read.ecnTimeNanos == read.pathTimeNanos && read.srttMicros == (read.pathTimeNanos & 0xffff))
                        .isTrue();
            }
        }
        stop.set(true);
        pump.join();
        assertThat(good).isPositive();
    }

    @Test
    void wildSlotsAndClosedTablesAreUnknown() throws Exception {
        int slot = TableFile.create(file, 64, now).put(NETNS, ADDRESS, PEER, written);
        HealthTable table = open();

        for (int wild : new int[] {-1, Integer.MIN_VALUE, 64, Integer.MAX_VALUE}) {
            assertThat(read(table, wild, ADDRESS, read)).isFalse();
        }
        table.close();
        assertThat(find(table, ADDRESS)).isEqualTo(-1);
        assertThat(read(table, slot, ADDRESS, read)).isFalse();
        assertThat(table.alive()).isFalse();
    }

    @Test
    void isAliveWhileTheHeartbeatIsYoung() throws Exception {
        TableFile writer = TableFile.create(file, 64, now);
        HealthTable table = open();

        assertThat(table.alive()).isTrue();
        now += HealthTable.ALIVE_NANOS;
        assertThat(table.alive()).isFalse();
        writer.heartbeat(now);
        assertThat(table.heartbeatAgeNanos()).isZero();
        writer.heartbeat(0);
        assertThat(table.alive()).isFalse();
    }

    @Test
    void visitsEveryLiveSlot() throws Exception {
        TableFile writer = TableFile.create(file, 64, now);
        writer.put(NETNS, ADDRESS, PEER, written);
        writer.put(NETNS, TableFile.address("::", 9000), TableLayout.KIND_LOCAL, written);
        writer.kind(writer.put(NETNS, TableFile.address("::1", 1), PEER, written), TableLayout.KIND_TOMBSTONE);
        List<String> seen = new ArrayList<>();
        open().forEach((netns, address, health) -> seen.add(health.kind + " " + address));

        assertThat(seen).containsExactlyInAnyOrder("1 10.1.2.3:8080", "2 [0:0:0:0:0:0:0:0]:9000");
    }

    static Stream<Arguments> damages() {
        return Stream.of(
                damage("wrong magic", bytes -> bytes.putLong(0, 1)),
                damage("layout version 7", bytes -> bytes.putInt(TableLayout.ABI_VERSION_OFFSET, 7)),
                damage("slots of 128", bytes -> bytes.putInt(TableLayout.SLOT_SIZE_OFFSET, 128)),
                damage("slot count 0", bytes -> bytes.putInt(TableLayout.SLOT_COUNT_OFFSET, 0)),
                damage("slot count 63", bytes -> bytes.putInt(TableLayout.SLOT_COUNT_OFFSET, 63)),
                damage("slot count 4294967295", bytes -> bytes.putInt(TableLayout.SLOT_COUNT_OFFSET, -1)),
                damage("slot count 1073741824", bytes -> bytes.putInt(TableLayout.SLOT_COUNT_OFFSET, 1 << 30)),
                damage("its header says 36864", bytes -> bytes.putInt(TableLayout.SLOT_COUNT_OFFSET, 128)),
                damage(
                        "another boot",
                        bytes -> bytes.put(TableLayout.BOOT_ID_OFFSET, (byte) ~bytes.get(TableLayout.BOOT_ID_OFFSET))));
    }

    private static Arguments damage(String message, Consumer<ByteBuffer> change) {
        return Arguments.of(message, change);
    }

    @ParameterizedTest
    @MethodSource("damages")
    void refusesDamagedFilesAndSaysWhatIsWrong(String message, Consumer<ByteBuffer> change) throws Exception {
        change.accept(TableFile.create(file, 64, now).buffer());

        assertThatThrownBy(this::open)
                .isInstanceOf(TableException.class)
                .hasMessageContaining(file.toString())
                .hasMessageContaining(message)
                .hasMessageContaining(": r"); // "restart" or "run", the fix.
    }

    @ParameterizedTest
    @MethodSource("sizes")
    void refusesTruncatedFiles(int size) throws Exception {
        TableFile.create(file, 64, now);
        byte[] bytes = Files.readAllBytes(file);
        Files.write(file, java.util.Arrays.copyOf(bytes, size));

        assertThatThrownBy(this::open).isInstanceOf(TableException.class).hasMessageContaining("truncated");
    }

    static Stream<Integer> sizes() {
        return Stream.of(0, 1, 71, 4095, 4096, TableLayout.HEADER_SIZE + 64 * TableLayout.SLOT_SIZE - 1);
    }

    @Test
    void saysThatThereIsNoFile() {
        assertThatThrownBy(this::open)
                .isInstanceOfSatisfying(
                        TableException.class, e -> assertThat(e.absent()).isTrue())
                .hasMessageContaining("does not exist: start the Aether agent");
    }

    @Test
    void refusesADirectory() throws Exception {
        Files.createDirectory(file);

        assertThatThrownBy(this::open).isInstanceOf(TableException.class).hasMessageContaining(file.toString());
    }
}

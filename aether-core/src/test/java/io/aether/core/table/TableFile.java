// SPDX-License-Identifier: Apache-2.0
package io.aether.core.table;

import static io.aether.core.table.TableLayout.HEADER_SIZE;
import static io.aether.core.table.TableLayout.SLOT_SIZE;

import java.io.IOException;
import java.nio.ByteOrder;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Objects;

/** Writes health tables as the pump does, for tests and benchmarks. One writer at a time. */
public final class TableFile {
    private final MappedByteBuffer buffer;
    private final int slots;

    private TableFile(MappedByteBuffer buffer, int slots) {
        this.buffer = buffer;
        this.slots = slots;
    }

    /** A new, empty table of this boot with a heartbeat of {@code now}. */
    public static TableFile create(Path file, int slots, long now) throws IOException {
        try (FileChannel channel = FileChannel.open(
                file, StandardOpenOption.CREATE_NEW, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            MappedByteBuffer buffer =
                    channel.map(FileChannel.MapMode.READ_WRITE, 0, HEADER_SIZE + (long) slots * SLOT_SIZE);
            buffer.order(ByteOrder.LITTLE_ENDIAN);
            TableFile table = new TableFile(buffer, slots);
            table.header(now);
            return table;
        }
    }

    private void header(long now) {
        buffer.putLong(TableLayout.MAGIC_OFFSET, TableLayout.MAGIC);
        buffer.putInt(TableLayout.ABI_VERSION_OFFSET, TableLayout.ABI_VERSION);
        buffer.putInt(TableLayout.HEADER_SIZE_OFFSET, HEADER_SIZE);
        buffer.putInt(TableLayout.SLOT_COUNT_OFFSET, slots);
        buffer.putInt(TableLayout.SLOT_SIZE_OFFSET, SLOT_SIZE);
        byte[] boot = TableHeader.bootId();
        buffer.put(TableLayout.BOOT_ID_OFFSET, boot == null ? new byte[16] : boot);
        buffer.putInt(
                TableLayout.WRITER_PID_OFFSET, (int) ProcessHandle.current().pid());
        buffer.putLong(TableLayout.START_NS_OFFSET, now);
        heartbeat(now);
    }

    /** Sets the heartbeat; 0 says that the writer has stopped. */
    public void heartbeat(long now) {
        buffer.putLong(TableLayout.HEARTBEAT_NS_OFFSET, now);
    }

    /** The raw bytes, to break them. */
    public MappedByteBuffer buffer() {
        return buffer;
    }

    /** Writes an endpoint's path, report, http and ecn groups into its slot, a new one if need be. Returns its index. */
    public int put(long netns, EndpointAddress address, int kind, EndpointHealth health) {
        int index = place(netns, address, kind);
        int slot = HEADER_SIZE + index * SLOT_SIZE;
        int sequence = buffer.getInt(slot);
        buffer.putInt(slot, sequence | 1);
        buffer.put(slot + TableLayout.KIND_OFFSET, (byte) kind);
        buffer.put(slot + TableLayout.FLAGS_OFFSET, (byte) health.flags);
        buffer.putShort(slot + TableLayout.PORT_OFFSET, (short) address.port());
        buffer.putLong(slot + TableLayout.NETNS_OFFSET, netns);
        buffer.putLong(slot + TableLayout.ADDR_OFFSET, address.hi());
        buffer.putLong(slot + TableLayout.ADDR_OFFSET + 8, address.lo());
        signals(slot, health);
        buffer.putInt(slot, (sequence | 1) + 1);
        return index;
    }

    private void signals(int slot, EndpointHealth health) {
        buffer.putLong(slot + TableLayout.PATH_TIME_NS_OFFSET, health.pathTimeNanos);
        buffer.putInt(slot + TableLayout.PATH_SRTT_US_OFFSET, (int) health.srttMicros);
        buffer.putInt(slot + TableLayout.PATH_MIN_RTT_US_OFFSET, (int) health.minRttMicros);
        buffer.putInt(slot + TableLayout.PATH_RETRANS_PERMILLE_OFFSET, (int) health.retransPermille);
        buffer.putLong(slot + TableLayout.REPORT_TIME_NS_OFFSET, health.reportTimeNanos);
        buffer.putLong(slot + TableLayout.REPORT_STALLED_SINCE_NS_OFFSET, health.stalledSinceNanos);
        buffer.putInt(slot + TableLayout.REPORT_STALL_AGE_US_OFFSET, (int) health.stallAgeMicros);
        buffer.putInt(slot + TableLayout.REPORT_SOJOURN_US_OFFSET, (int) health.sojournMicros);
        buffer.putInt(slot + TableLayout.REPORT_RUNQ_US_OFFSET, (int) health.runQueueMicros);
        buffer.putShort(slot + TableLayout.REPORT_THROTTLED_PERMILLE_OFFSET, (short) health.throttledPermille);
        buffer.put(slot + TableLayout.REPORT_PRESSURE_OFFSET, (byte) health.pressure);
        buffer.put(slot + TableLayout.REPORT_SOURCE_OFFSET, (byte) health.source);
        buffer.putLong(slot + TableLayout.HTTP_TIME_NS_OFFSET, health.httpTimeNanos);
        buffer.putInt(slot + TableLayout.HTTP_TTFB_US_OFFSET, (int) health.ttfbMicros);
        buffer.putLong(slot + TableLayout.ECN_TIME_NS_OFFSET, health.ecnTimeNanos);
        buffer.putLong(slot + TableLayout.ECN_CE_OFFSET, health.ce);
        buffer.putLong(slot + TableLayout.ECN_ECT_OFFSET, health.ect);
        buffer.putInt(slot + TableLayout.ECN_CE_PERMILLE_OFFSET, (int) health.cePermille);
    }

    /** Overwrites the kind of a slot, as for a tombstone. */
    public void kind(int index, int kind) {
        buffer.put(HEADER_SIZE + index * SLOT_SIZE + TableLayout.KIND_OFFSET, (byte) kind);
    }

    /** Sets a slot's sequence word; an odd one looks as if a write went on. */
    public void sequence(int index, int sequence) {
        buffer.putInt(HEADER_SIZE + index * SLOT_SIZE, sequence);
    }

    private int place(long netns, EndpointAddress address, int kind) {
        int index = (int) TableLayout.hash(netns, address.hi(), address.lo(), address.port(), kind) & (slots - 1);
        for (int i = 0; i < slots; i++) {
            int slot = HEADER_SIZE + index * SLOT_SIZE;
            boolean free = buffer.get(slot + TableLayout.KIND_OFFSET) == TableLayout.KIND_EMPTY;
            if (free || holds(slot, netns, address, kind)) {
                return index;
            }
            index = (index + 1) & (slots - 1);
        }
        throw new IllegalStateException("table full");
    }

    private boolean holds(int slot, long netns, EndpointAddress address, int kind) {
        return buffer.get(slot + TableLayout.KIND_OFFSET) == (byte) kind
                && buffer.getShort(slot + TableLayout.PORT_OFFSET) == (short) address.port()
                && buffer.getLong(slot + TableLayout.NETNS_OFFSET) == netns
                && buffer.getLong(slot + TableLayout.ADDR_OFFSET) == address.hi()
                && buffer.getLong(slot + TableLayout.ADDR_OFFSET + 8) == address.lo();
    }

    /** A literal's address and port. */
    public static EndpointAddress address(String literal, int port) {
        return Objects.requireNonNull(EndpointAddress.parse(literal, port), literal);
    }
}

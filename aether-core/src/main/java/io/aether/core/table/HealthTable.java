// SPDX-License-Identifier: Apache-2.0
package io.aether.core.table;

import io.aether.core.NanoClock;
import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * A read-only mapping of the health table. Thread-safe; reads neither block, allocate nor throw. An endpoint that cannot
 * be read is unknown, and unknown is neutral.
 *
 * <p>Each slot is guarded by a sequence lock (Linux's seqlock): the word is odd while the pump writes and differs after
 * it has written. A reader that meets either tries again, at most {@link TableLayout#READ_RETRIES} times.
 *
 * <p>A file that shrinks under its mapping cannot be guarded against beforehand: touching a page beyond its end raises a
 * bus error, which the JVM turns into an {@link InternalError}. The pump never shrinks a table, it replaces it by rename;
 * should somebody else, the error is caught here, and the table counts as closed from then on.
 */
public final class HealthTable implements AutoCloseable {
    /** A heartbeat older than this means that the writer is gone. The pump beats every 10 ms. */
    public static final long ALIVE_NANOS = 1_000_000_000L;

    private static final VarHandle WORD = MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final int ATTEMPTS = 1 + TableLayout.READ_RETRIES;

    private final Path file;
    private final MappedByteBuffer buffer;
    private final int mask;
    private final NanoClock clock;
    private volatile boolean closed;

    private HealthTable(Path file, MappedByteBuffer buffer, int slots, NanoClock clock) {
        this.file = file;
        this.buffer = buffer;
        this.mask = slots - 1;
        this.clock = clock;
    }

    /** Checks and maps a table. The exception's message names the file, the cause and the fix. */
    public static HealthTable open(Path file, NanoClock clock) throws TableException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            TableHeader header = TableHeader.check(file, channel);
            long size = TableLayout.HEADER_SIZE + (long) header.slotCount() * TableLayout.SLOT_SIZE;
            MappedByteBuffer buffer = channel.map(FileChannel.MapMode.READ_ONLY, 0, size);
            buffer.order(ByteOrder.LITTLE_ENDIAN);
            return new HealthTable(file, buffer, header.slotCount(), clock);
        } catch (NoSuchFileException e) {
            throw new TableException(
                    "Health table " + file + " does not exist: start the Aether agent on this node,"
                            + " or set aether.table.path to where it writes",
                    true);
        } catch (AccessDeniedException e) {
            throw new TableException(
                    "Health table " + file + " may not be read: give this user read access to it"
                            + " and search access to its directory",
                    false);
        } catch (IOException e) {
            throw new TableException(
                    "Health table " + file + " cannot be read (" + e + "): check the path and the file system", false);
        }
    }

    /** Whether the writer's heartbeat is younger than a second. */
    public boolean alive() {
        long age = heartbeatAgeNanos();
        return age >= -ALIVE_NANOS && age < ALIVE_NANOS;
    }

    /** Nanoseconds since the writer's last sign of life; {@link Long#MAX_VALUE} when it said goodbye or is unreadable. */
    public long heartbeatAgeNanos() {
        long beat = header(TableLayout.HEARTBEAT_NS_OFFSET);
        return beat == 0 ? Long.MAX_VALUE : clock.nanos() - beat;
    }

    /** When the present writer opened the table; changes when a writer takes it over. */
    public long startNanos() {
        return header(TableLayout.START_NS_OFFSET);
    }

    /** Endpoints that found no free slot. */
    public long refused() {
        return header(TableLayout.REFUSED_OFFSET);
    }

    /** The writer's process id. */
    public long writerPid() {
        return header(TableLayout.WRITER_PID_OFFSET) & 0xffffffffL;
    }

    /** Live slots. */
    public long used() {
        return header(TableLayout.WRITER_PID_OFFSET) >>> 32;
    }

    /** Slots, live or not; a power of two. */
    public int slotCount() {
        return mask + 1;
    }

    /** The file this is a mapping of; it may have been replaced since. */
    public Path file() {
        return file;
    }

    /**
     * Finds a key's slot.
     *
     * @param hi the first eight bytes of the address as a little-endian word, {@code lo} the others
     * @param kind {@link TableLayout#KIND_PEER} or {@link TableLayout#KIND_LOCAL}
     * @return the slot's index, or -1
     */
    public int find(long netns, long hi, long lo, int port, int kind) {
        if (closed) {
            return -1;
        }
        try {
            return search(netns, hi, lo, port, kind);
        } catch (InternalError e) {
            closed = true; // The file shrank under us.
            return -1;
        }
    }

    private int search(long netns, long hi, long lo, int port, int kind) {
        int index = (int) TableLayout.hash(netns, hi, lo, port, kind) & mask;
        int probes = Math.min(TableLayout.MAX_PROBE, mask + 1);
        for (int i = 0; i < probes; i++) {
            int slot = offset(index);
            long first = (long) WORD.getAcquire(buffer, slot);
            if (kindOf(first) == TableLayout.KIND_EMPTY) {
                return -1;
            }
            if (matches(slot, first, netns, hi, lo, port, kind)) {
                return index;
            }
            index = (index + 1) & mask;
        }
        return -1;
    }

    /**
     * Copies a slot that {@link #find} returned, now or earlier, if it still holds this key.
     *
     * @return false when the slot holds something else, could not be read consistently, or the table is closed;
     *     {@code into} is reset then
     */
    public boolean read(int slot, long netns, long hi, long lo, int port, int kind, EndpointHealth into) {
        if (!closed && slot >= 0 && slot <= mask) {
            try {
                if (copy(offset(slot), netns, hi, lo, port, kind, into)) {
                    return true;
                }
            } catch (InternalError e) {
                closed = true; // The file shrank under us.
            }
        }
        into.reset();
        return false;
    }

    private boolean copy(int slot, long netns, long hi, long lo, int port, int kind, EndpointHealth into) {
        for (int i = 0; i < ATTEMPTS; i++) {
            long first = (long) WORD.getAcquire(buffer, slot);
            if ((first & 1) != 0) {
                Thread.onSpinWait();
                continue;
            }
            if (!matches(slot, first, netns, hi, lo, port, kind)) {
                return false;
            }
            SlotReader.copy(buffer, slot, kind, into);
            VarHandle.loadLoadFence();
            if ((long) WORD.getOpaque(buffer, slot) == first) {
                into.kind = kind;
                into.flags = flagsOf(first);
                return true;
            }
        }
        return false;
    }

    /** Visits every live slot in the table's order, for the agent's own use. Torn slots are left out. */
    public void forEach(SlotVisitor visitor) {
        EndpointHealth health = new EndpointHealth();
        for (int i = 0; i <= mask && !closed; i++) {
            visit(i, health, visitor);
        }
    }

    private void visit(int index, EndpointHealth health, SlotVisitor visitor) {
        long netns;
        EndpointAddress address;
        int kind;
        try {
            int slot = offset(index);
            long first = (long) WORD.getAcquire(buffer, slot);
            kind = kindOf(first);
            netns = buffer.getLong(slot + TableLayout.NETNS_OFFSET);
            long hi = buffer.getLong(slot + TableLayout.ADDR_OFFSET);
            long lo = buffer.getLong(slot + TableLayout.ADDR_OFFSET + 8);
            address = new EndpointAddress(hi, lo, portOf(first));
        } catch (InternalError e) {
            closed = true;
            return;
        }
        boolean live = kind == TableLayout.KIND_PEER || kind == TableLayout.KIND_LOCAL;
        if (live && read(index, netns, address.hi(), address.lo(), address.port(), kind, health)) {
            visitor.visit(netns, address, health);
        }
    }

    /** Receives one slot; {@code health} is reused for the next. */
    @FunctionalInterface
    public interface SlotVisitor {
        void visit(long netns, EndpointAddress address, EndpointHealth health);
    }

    /** From now on nothing is found. The mapping itself goes with the garbage collector, so late readers are safe. */
    @Override
    public void close() {
        closed = true;
    }

    private boolean matches(int slot, long first, long netns, long hi, long lo, int port, int kind) {
        return kindOf(first) == kind
                && portOf(first) == port
                && buffer.getLong(slot + TableLayout.ADDR_OFFSET + 8) == lo
                && buffer.getLong(slot + TableLayout.ADDR_OFFSET) == hi
                && buffer.getLong(slot + TableLayout.NETNS_OFFSET) == netns;
    }

    private long header(int offset) {
        if (closed) {
            return 0;
        }
        try {
            return (long) WORD.getAcquire(buffer, offset);
        } catch (InternalError e) {
            closed = true;
            return 0;
        }
    }

    private static int offset(int index) {
        return TableLayout.HEADER_SIZE + index * TableLayout.SLOT_SIZE;
    }

    // A slot's first word: seq (32 bits), kind (8), flags (8), port (16), from the lowest bit up.
    private static int kindOf(long first) {
        return (int) (first >>> 32) & 0xff;
    }

    private static int flagsOf(long first) {
        return (int) (first >>> 40) & 0xff;
    }

    private static int portOf(long first) {
        return (int) (first >>> 48) & 0xffff;
    }
}

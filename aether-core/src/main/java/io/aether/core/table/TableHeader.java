// SPDX-License-Identifier: Apache-2.0
package io.aether.core.table;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The checks a file must pass before it is mapped. They run on bytes that were read, not mapped, so that a short file is
 * a message and not a bus error.
 */
record TableHeader(int slotCount, long startNanos) {
    private static final Path BOOT_ID = Path.of("/proc/sys/kernel/random/boot_id");
    private static final String RESTART = "restart the Aether agent, which writes a new one";

    static TableHeader check(Path file, FileChannel channel) throws IOException, TableException {
        long size = channel.size();
        if (size < TableLayout.HEADER_SIZE) {
            throw bad(file, "is truncated (" + size + " bytes, the header alone has " + TableLayout.HEADER_SIZE + ")");
        }
        ByteBuffer header = read(channel);
        if (header.hasRemaining()) {
            throw bad(file, "is truncated");
        }
        if (header.getLong(TableLayout.MAGIC_OFFSET) != TableLayout.MAGIC) {
            throw bad(file, "is not a health table (wrong magic number)");
        }
        checkVersion(file, header);
        checkBoot(file, header);
        int slots = header.getInt(TableLayout.SLOT_COUNT_OFFSET);
        if (slots <= 0 || slots > TableLayout.MAX_SLOTS || Integer.bitCount(slots) != 1) {
            throw bad(file, "is corrupt (slot count " + Integer.toUnsignedString(slots) + ")");
        }
        long expected = TableLayout.HEADER_SIZE + (long) slots * TableLayout.SLOT_SIZE;
        if (size < expected) {
            throw bad(file, "is truncated (" + size + " bytes, its header says " + expected + ")");
        }
        return new TableHeader(slots, header.getLong(TableLayout.START_NS_OFFSET));
    }

    private static ByteBuffer read(FileChannel channel) throws IOException {
        ByteBuffer header = ByteBuffer.allocate(TableLayout.HEADER_USED).order(ByteOrder.LITTLE_ENDIAN);
        while (header.hasRemaining() && channel.read(header, header.position()) >= 0) {
            // A read may be short.
        }
        return header;
    }

    private static void checkVersion(Path file, ByteBuffer header) throws TableException {
        int version = header.getInt(TableLayout.ABI_VERSION_OFFSET);
        if (version != TableLayout.ABI_VERSION) {
            throw new TableException(
                    "Health table " + file + " has layout version " + Integer.toUnsignedString(version)
                            + ", this application reads " + TableLayout.ABI_VERSION
                            + ": run an agent and applications of the same Aether release",
                    false);
        }
        int headerSize = header.getInt(TableLayout.HEADER_SIZE_OFFSET);
        int slotSize = header.getInt(TableLayout.SLOT_SIZE_OFFSET);
        if (headerSize != TableLayout.HEADER_SIZE || slotSize != TableLayout.SLOT_SIZE) {
            throw bad(file, "is corrupt (header of " + headerSize + " bytes, slots of " + slotSize + ")");
        }
    }

    private static void checkBoot(Path file, ByteBuffer header) throws TableException {
        byte[] mine = bootId();
        if (mine == null) {
            return;
        }
        byte[] theirs = new byte[mine.length];
        header.get(TableLayout.BOOT_ID_OFFSET, theirs);
        boolean known = !Arrays.equals(theirs, new byte[mine.length]); // Zeros: the writer could not tell.
        if (known && !Arrays.equals(mine, theirs)) {
            throw bad(file, "is of another boot or another machine");
        }
    }

    /** This boot's id, 16 bytes in the order its text has; null where the system does not tell. */
    static byte @Nullable [] bootId() {
        try {
            UUID id = UUID.fromString(Files.readString(BOOT_ID).trim());
            return ByteBuffer.allocate(16)
                    .putLong(id.getMostSignificantBits())
                    .putLong(id.getLeastSignificantBits())
                    .array();
        } catch (IOException | IllegalArgumentException | SecurityException e) {
            return null;
        }
    }

    private static TableException bad(Path file, String what) {
        return new TableException("Health table " + file + " " + what + ": " + RESTART, false);
    }
}

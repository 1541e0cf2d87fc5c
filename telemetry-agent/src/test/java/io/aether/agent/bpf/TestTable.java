// SPDX-License-Identifier: Apache-2.0
package io.aether.agent.bpf;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** Looks into the health table by the literal offsets of its layout. */
final class TestTable {
    static final int PEER = 1;
    static final int LOCAL = 2;
    static final int CONGESTED = 1;
    static final int STALLED = 2;
    static final int GONE = 4;

    private static final int HEADER = 4096;
    private static final int SLOT = 256;

    private final ByteBuffer table;

    TestTable(Path file) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            table = channel.map(FileChannel.MapMode.READ_ONLY, 0, channel.size())
                    .order(ByteOrder.LITTLE_ENDIAN);
        }
    }

    long heartbeat() {
        return table.getLong(56);
    }

    /** Offset of the slot of this kind and port, -1 without one. */
    int find(int kind, int port) {
        for (int at = HEADER; at < table.capacity(); at += SLOT) {
            if ((table.get(at + 4) & 0xff) == kind && (table.getShort(at + 6) & 0xffff) == port) {
                return at;
            }
        }
        return -1;
    }

    boolean has(int kind, int port, int flag) {
        int at = find(kind, port);
        return at >= 0 && (table.get(at + 5) & flag) != 0;
    }

    /** An unsigned 32-bit field of a slot. */
    long number(int kind, int port, int offset) {
        int at = find(kind, port);
        return at < 0 ? -1 : table.getInt(at + offset) & 0xffffffffL;
    }

    /** An unsigned byte of a slot. */
    int byteAt(int kind, int port, int offset) {
        int at = find(kind, port);
        return at < 0 ? -1 : table.get(at + offset) & 0xff;
    }

    long time(int kind, int port, int offset) {
        int at = find(kind, port);
        return at < 0 ? -1 : table.getLong(at + offset);
    }
}

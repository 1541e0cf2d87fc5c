// SPDX-License-Identifier: Apache-2.0
package io.aether.bench.overload;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.concurrent.locks.LockSupport;

/**
 * What goes over a connection. Many requests are under way on one at a time and are answered in any order, as in HTTP/2;
 * parsing HTTP would only cost processor time that both ends share.
 *
 * <pre>
 *   request   | id 4 | unused ........... 64 |
 *   answer    | id 4 | length 4 | body ...... |   2000 bytes, or 120 for a refusal
 * </pre>
 */
public final class Wire {
    public static final int REQUEST_BYTES = 64;
    public static final int HEADER_BYTES = 8;
    /** Two segments. */
    public static final int ANSWER_BYTES = 2000;

    public static final int REFUSAL_BYTES = 120;
    /** More than what is unread on one connection at any time but a stop of the whole process. */
    public static final int BUFFER_BYTES = 1 << 16;

    private static final long FULL_NANOS = 50_000;

    private Wire() {}

    /** Writes all of it to a channel that does not block; waits for room, which is there but when the other end hangs. */
    public static void write(SocketChannel channel, ByteBuffer buffer) throws IOException {
        while (buffer.hasRemaining()) {
            if (channel.write(buffer) == 0) {
                LockSupport.parkNanos(FULL_NANOS);
            }
        }
    }

    /** Sleeps until {@code time} on {@link System#nanoTime}. */
    public static void sleepUntil(long time) {
        for (long left = time - System.nanoTime(); left > 0; left = time - System.nanoTime()) {
            LockSupport.parkNanos(left);
            if (Thread.currentThread().isInterrupted()) {
                return;
            }
        }
    }
}

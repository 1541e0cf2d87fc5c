// SPDX-License-Identifier: Apache-2.0
package io.aether.bench.overload.server;

import io.aether.bench.overload.Wire;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;

/** A client's connection. Answers come from any thread; one thread reads. */
final class Caller {
    private final SocketChannel channel;
    private final ByteBuffer in = ByteBuffer.allocateDirect(Wire.BUFFER_BYTES);
    private final ByteBuffer out = ByteBuffer.allocateDirect(Wire.HEADER_BYTES + Wire.ANSWER_BYTES);

    Caller(SocketChannel channel) {
        this.channel = channel;
    }

    /** Hands the requests that are there to the desk; false when the connection is closed. */
    boolean read(Desk desk) throws IOException {
        int count = channel.read(in);
        in.flip();
        while (in.remaining() >= Wire.REQUEST_BYTES) {
            int id = in.getInt(in.position());
            in.position(in.position() + Wire.REQUEST_BYTES);
            desk.arrive(this, id);
        }
        in.compact();
        return count >= 0;
    }

    void answer(int id, boolean served) {
        int length = served ? Wire.ANSWER_BYTES : Wire.REFUSAL_BYTES;
        synchronized (out) {
            out.clear();
            out.putInt(0, id).putInt(4, length).limit(Wire.HEADER_BYTES + length);
            try {
                Wire.write(channel, out);
            } catch (IOException gone) {
                // A client that left does not miss it.
            }
        }
    }

    void close() throws IOException {
        channel.close();
    }
}

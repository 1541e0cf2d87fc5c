// SPDX-License-Identifier: Apache-2.0
package io.aether.bench.overload.client;

import io.aether.bench.overload.Wire;
import io.aether.bench.overload.gate.Gate;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;

/** A client: its connection and its gate. One thread sends, one reads. */
final class Connection {
    /** Who hears of answers. */
    interface Listener {
        void answer(int id, boolean served);
    }

    final int index;
    final Gate gate;
    private final SocketChannel channel;
    private final ByteBuffer in = ByteBuffer.allocateDirect(Wire.BUFFER_BYTES);
    private final ByteBuffer out = ByteBuffer.allocateDirect(Wire.REQUEST_BYTES);

    private Connection(int index, Gate gate, SocketChannel channel) {
        this.index = index;
        this.gate = gate;
        this.channel = channel;
    }

    static Connection open(int index, Gate gate, InetSocketAddress from, InetSocketAddress to, Selector selector)
            throws IOException {
        SocketChannel channel = SocketChannel.open();
        channel.bind(from);
        channel.connect(to);
        channel.configureBlocking(false);
        channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
        Connection connection = new Connection(index, gate, channel);
        channel.register(selector, SelectionKey.OP_READ, connection);
        return connection;
    }

    void send(int id) throws IOException {
        out.clear();
        out.putInt(0, id);
        Wire.write(channel, out);
    }

    /** Tells of the answers that are there. */
    void read(Listener listener) throws IOException {
        if (channel.read(in) < 0) {
            throw new IOException("the server has closed a connection");
        }
        in.flip();
        while (in.remaining() >= Wire.HEADER_BYTES) {
            int length = in.getInt(in.position() + 4);
            if (in.remaining() < Wire.HEADER_BYTES + length) {
                break;
            }
            listener.answer(in.getInt(in.position()), length == Wire.ANSWER_BYTES);
            in.position(in.position() + Wire.HEADER_BYTES + length);
        }
        in.compact();
    }

    void close() throws IOException {
        channel.close();
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.aether.bench.stall;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * A client's connection pool that sends a request every 2 ms, each on a connection that waits for no answer, as a pool of
 * HTTP/1.1 connections does. Driven by {@link #turn}; one thread.
 */
final class Requests implements AutoCloseable {
    private static final int CONNECTIONS = 10;
    private static final int BYTES = 100;
    private static final long INTERVAL_NANOS = 2_000_000;

    private final Deque<SocketChannel> idle = new ArrayDeque<>();
    private final List<SocketChannel> busy = new ArrayList<>();
    private final ByteBuffer buffer = ByteBuffer.allocateDirect(BYTES);
    private long next;
    private long lastAnswer;

    Requests(InetSocketAddress server) throws IOException {
        for (int i = 0; i < CONNECTIONS; i++) {
            SocketChannel channel = SocketChannel.open(server);
            idle.add(channel);
            channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
            channel.configureBlocking(false);
        }
    }

    /** Takes the answers that are there, and sends the request that is due, if a connection is idle. */
    void turn(long now) throws IOException {
        for (int i = busy.size() - 1; i >= 0; i--) {
            buffer.clear();
            if (busy.get(i).read(buffer) > 0) { // so short an answer comes at once
                idle.add(busy.remove(i));
                lastAnswer = now;
            }
        }
        if (now - next < 0 || idle.isEmpty()) {
            return;
        }
        next = now + INTERVAL_NANOS;
        SocketChannel channel = idle.remove();
        buffer.clear();
        channel.write(buffer);
        busy.add(channel);
    }

    /** When the latest answer was there. */
    long lastAnswer() {
        return lastAnswer;
    }

    @Override
    public void close() throws IOException {
        for (SocketChannel channel : idle) {
            channel.close();
        }
        for (SocketChannel channel : busy) {
            channel.close();
        }
    }
}

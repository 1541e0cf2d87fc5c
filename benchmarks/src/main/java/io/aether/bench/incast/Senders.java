// SPDX-License-Identifier: Apache-2.0
package io.aether.bench.incast;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;

/**
 * Answers each request, which is a number, with as many bytes: the senders, in a process of their own, one thread for all
 * of them. Opens its socket after the first line of input, prints its port, and ends with its input.
 */
final class Senders {
    private static final ByteBuffer ANSWER = ByteBuffer.allocateDirect(256 * 1024);

    private final Selector selector;

    private Senders(Selector selector) {
        this.selector = selector;
    }

    public static void main(String[] args) throws IOException {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, US_ASCII));
        in.readLine();
        try (Selector selector = Selector.open();
                ServerSocketChannel server = ServerSocketChannel.open()) {
            server.bind(new InetSocketAddress(0), 256);
            server.configureBlocking(false);
            server.register(selector, SelectionKey.OP_ACCEPT);
            System.out.println(server.socket().getLocalPort());
            Thread senders = new Thread(new Senders(selector)::serve, "senders");
            senders.setDaemon(true);
            senders.start();
            in.readLine();
        }
    }

    /** A connection and what it still owes. */
    private static final class Owed {
        private final ByteBuffer request = ByteBuffer.allocate(Long.BYTES);
        private long bytes;
    }

    private void serve() {
        try {
            while (selector.isOpen()) {
                selector.select(this::turn);
            }
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private void turn(SelectionKey key) {
        try {
            if (key.isAcceptable()) {
                accept((ServerSocketChannel) key.channel());
            } else {
                answer(key, (SocketChannel) key.channel(), (Owed) key.attachment());
            }
        } catch (IOException gone) {
            key.cancel();
            close(key);
        }
    }

    private static void close(SelectionKey key) {
        try {
            key.channel().close();
        } catch (IOException e) {
            // It is gone already.
        }
    }

    private void accept(ServerSocketChannel server) throws IOException {
        SocketChannel channel = server.accept();
        channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
        channel.configureBlocking(false);
        channel.register(selector, SelectionKey.OP_READ, new Owed());
    }

    private static void answer(SelectionKey key, SocketChannel channel, Owed owed) throws IOException {
        if (key.isReadable()) {
            if (channel.read(owed.request) < 0) {
                key.cancel();
                channel.close();
                return;
            }
            if (!owed.request.hasRemaining()) {
                owed.bytes += owed.request.flip().getLong();
                owed.request.clear();
            }
        }
        owed.bytes -= write(channel, owed.bytes);
        key.interestOps(SelectionKey.OP_READ | (owed.bytes > 0 ? SelectionKey.OP_WRITE : 0));
    }

    private static long write(SocketChannel channel, long bytes) throws IOException {
        if (bytes == 0) {
            return 0;
        }
        return channel.write(ANSWER.clear().limit((int) Math.min(bytes, ANSWER.capacity())));
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.aether.bench.incast;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;

/** Connections to senders on which the same is asked at once. One thread. */
final class Answers implements AutoCloseable {
    private static final int MAX_READ = 256 * 1024;
    /** A round that takes longer is no figure but a failure. */
    private static final long GIVE_UP_MICROS = 20_000_000;

    private final Selector selector;
    private final List<SocketChannel> channels = new ArrayList<>();
    private final ByteBuffer buffer = ByteBuffer.allocateDirect(MAX_READ);
    private final ByteBuffer request = ByteBuffer.allocateDirect(Long.BYTES);

    private Answers(Selector selector) {
        this.selector = selector;
    }

    static Answers connect(Policy policy, int port, int count) throws IOException {
        Answers answers = new Answers(Selector.open());
        for (int i = 0; i < count; i++) {
            SocketChannel channel = SocketChannel.open();
            answers.channels.add(channel);
            channel.bind(new InetSocketAddress(policy.address(), 0));
            channel.connect(new InetSocketAddress(policy.senders(), port));
            channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
            channel.configureBlocking(false);
            channel.register(answers.selector, SelectionKey.OP_READ);
        }
        return answers;
    }

    /** Asks each for so many bytes. */
    void ask(long bytes) throws IOException {
        for (SocketChannel channel : channels) {
            request.clear().putLong(bytes).flip();
            channel.write(request);
        }
    }

    /** Asks, and waits for the last byte; us. */
    long round(int bytes) throws IOException {
        long start = System.nanoTime();
        ask(bytes);
        long missing = (long) bytes * channels.size();
        while (missing > 0) {
            selector.select(1000);
            missing -= take();
            if ((System.nanoTime() - start) / 1000 > GIVE_UP_MICROS) {
                throw new IOException(missing + " bytes are missing");
            }
        }
        return (System.nanoTime() - start) / 1000;
    }

    /** Reads for so long; bytes. */
    long read(long micros) throws IOException {
        long end = System.nanoTime() + micros * 1000;
        long bytes = 0;
        for (long left = micros; left > 0; left = (end - System.nanoTime()) / 1000) {
            selector.select(Math.max(1, left / 1000));
            bytes += take();
        }
        return bytes;
    }

    private long take() throws IOException {
        long bytes = 0;
        for (SelectionKey key : selector.selectedKeys()) {
            int n = ((SocketChannel) key.channel()).read(buffer.clear());
            if (n < 0) {
                throw new IOException("a sender is gone");
            }
            bytes += n;
        }
        selector.selectedKeys().clear();
        return bytes;
    }

    @Override
    public void close() throws IOException {
        for (SocketChannel channel : channels) {
            channel.setOption(StandardSocketOptions.SO_LINGER, 0); // what is still on its way is not waited for
            channel.close();
        }
        selector.close();
    }
}

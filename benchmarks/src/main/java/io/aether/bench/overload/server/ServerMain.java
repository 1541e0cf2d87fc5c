// SPDX-License-Identifier: Apache-2.0
package io.aether.bench.overload.server;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.aether.bench.overload.Bout;
import io.aether.bench.overload.Target;
import io.aether.core.NanoClock;
import io.aether.core.limit.Marker;
import io.aether.core.publish.QueuePublisher;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;

/**
 * The server's process: prints its port, begins a bout for each line of input, says {@code ok}, and ends with its input.
 * Argument: the directory in which applications publish their queues.
 */
public final class ServerMain {
    private static final long PUBLISH_MILLIS = 100;
    private static final int BACKLOG = 256;

    private final ServerSocketChannel listener;
    private final Selector selector;
    private final Desk desk;

    private ServerMain(ServerSocketChannel listener, Selector selector, Desk desk) {
        this.listener = listener;
        this.selector = selector;
        this.desk = desk;
    }

    public static void main(String[] args) throws IOException {
        PrintStream out = System.out;
        System.setOut(System.err);
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, US_ASCII));
        ServerSocketChannel listener = ServerSocketChannel.open();
        listener.bind(new InetSocketAddress(0), BACKLOG);
        int port = ((InetSocketAddress) listener.getLocalAddress()).getPort();
        try (QueuePublisher publisher = QueuePublisher.open(Path.of(args[0]), NanoClock.system(), port)) {
            publisher.thresholds(
                    Math.round(Target.MEAN_NANOS / 1000),
                    Math.round(Marker.ALL_SHARE * Marker.OBJECTIVE_SHARE * Target.OBJECTIVE_NANOS / 1000));
            ServerMain server = new ServerMain(listener, Selector.open(), new Desk(publisher));
            Thread intake = new Thread(server::intake, "intake");
            intake.setDaemon(true);
            intake.start();
            out.println(port);
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                server.desk.begin(Bout.parse(line));
                out.println("ok");
            }
        }
    }

    private void intake() {
        try {
            listener.configureBlocking(false);
            listener.register(selector, SelectionKey.OP_ACCEPT);
            while (true) {
                selector.select(this::ready, PUBLISH_MILLIS);
                desk.publish();
            }
        } catch (IOException e) {
            e.printStackTrace();
            System.exit(1);
        }
    }

    private void ready(SelectionKey key) {
        Caller caller = (Caller) key.attachment();
        try {
            if (caller == null) {
                accept();
            } else if (!caller.read(desk)) {
                caller.close();
            }
        } catch (IOException gone) {
            key.cancel();
        }
    }

    private void accept() throws IOException {
        for (SocketChannel channel = listener.accept(); channel != null; channel = listener.accept()) {
            channel.configureBlocking(false);
            channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
            channel.register(selector, SelectionKey.OP_READ, new Caller(channel));
        }
    }
}

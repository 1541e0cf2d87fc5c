// SPDX-License-Identifier: Apache-2.0
package io.aether.agent.kernel;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Makes real TCP traffic in a process of its own, told by lines on standard input, each answered by one line. A server
 * echoes one byte for every byte read while {@code mode echo}, swallows while {@code mode sink}, gives large
 * answers while {@code mode large} and leaves everything unread while {@code mode idle}.
 */
public final class TrafficMain {
    private static final int SEND_BUFFER = 262_144;
    private static final int READ_MILLIS = 5;
    private static final int LARGE = 1_000_000;

    private final Map<Integer, Socket> clients = new ConcurrentHashMap<>();
    private final Map<Integer, AtomicBoolean> floods = new ConcurrentHashMap<>();
    private final List<ServerSocket> listeners = new CopyOnWriteArrayList<>();
    private volatile String mode = "echo";

    public static void main(String[] args) throws IOException {
        TrafficMain traffic = new TrafficMain();
        BufferedReader commands = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        System.out.println("ready");
        String line;
        while ((line = commands.readLine()) != null) {
            try {
                System.out.println("ok " + traffic.obey(line.split(" ")));
            } catch (IOException | RuntimeException e) {
                System.out.println("failed " + e);
            }
        }
        System.exit(0);
    }

    private String obey(String[] words) throws IOException {
        return switch (words[0]) {
            case "listen" -> listen(words[1], Integer.parseInt(words[2]));
            case "unlisten" -> unlisten();
            case "mode" -> mode(words[1]);
            case "connect" -> connect(words[1], Integer.parseInt(words[2]));
            case "send" -> send(client(words[1]), Integer.parseInt(words[2]));
            case "ping" -> ping(client(words[1]), Integer.parseInt(words[2]));
            case "say" -> say(client(words[1]), words[2]);
            case "flood" -> flood(Integer.parseInt(words[1]));
            case "calm" -> calm(Integer.parseInt(words[1]));
            case "disconnect" -> disconnect(Integer.parseInt(words[1]));
            case "exchange" -> exchange(client(words[1]), Integer.parseInt(words[2]));
            case "fetch" -> fetch(client(words[1]), Integer.parseInt(words[2]));
            case "together" -> together(Integer.parseInt(words[1]));
            case "publish" -> Publishing.tell(words);
            default -> throw new IllegalArgumentException("unknown command " + words[0]);
        };
    }

    private String listen(String address, int port) throws IOException {
        ServerSocket server = new ServerSocket();
        server.setReuseAddress(true);
        server.bind(address.equals("*") ? new InetSocketAddress(port) : new InetSocketAddress(address, port));
        listeners.add(server);
        start(() -> accept(server));
        return Integer.toString(server.getLocalPort());
    }

    private String unlisten() throws IOException {
        for (ServerSocket server : listeners) {
            server.close();
        }
        listeners.clear();
        return "";
    }

    private void accept(ServerSocket server) {
        try {
            while (true) {
                Socket socket = server.accept();
                start(() -> serve(socket));
            }
        } catch (IOException closed) {
            // The listener was closed on purpose.
        }
    }

    private void serve(Socket socket) {
        byte[] buffer = new byte[65_536];
        try (socket) {
            socket.setTcpNoDelay(true);
            socket.setSoTimeout(READ_MILLIS);
            while (true) {
                while (mode.equals("idle")) {
                    sleep(1);
                }
                int count = read(socket, buffer);
                if (count < 0) {
                    return;
                }
                if (mode.equals("echo")) {
                    socket.getOutputStream().write(buffer, 0, count);
                } else if (mode.equals("large") && count > 0) {
                    socket.getOutputStream().write(new byte[LARGE]);
                }
            }
        } catch (IOException closed) {
            // The client went away.
        }
    }

    private static int read(Socket socket, byte[] buffer) throws IOException {
        try {
            return socket.getInputStream().read(buffer);
        } catch (SocketTimeoutException again) {
            return 0;
        }
    }

    private String mode(String next) {
        mode = next;
        // A read that is under way still takes what arrives: the change holds once it has timed out.
        sleep(3 * READ_MILLIS);
        return next;
    }

    private String connect(String address, int port) throws IOException {
        Socket socket = new Socket();
        // Small, so that a flood is over soon after it is called off.
        socket.setSendBufferSize(SEND_BUFFER);
        socket.connect(new InetSocketAddress(InetAddress.getByName(address), port), 5_000);
        socket.setTcpNoDelay(true);
        socket.setSoTimeout(10_000);
        int id = clients.size() + 1;
        clients.put(id, socket);
        return Integer.toString(id);
    }

    private Socket client(String id) {
        return clients.get(Integer.parseInt(id));
    }

    private String send(Socket socket, int bytes) throws IOException {
        socket.getOutputStream().write(new byte[bytes]);
        return "";
    }

    private String ping(Socket socket, int times) throws IOException {
        for (int i = 0; i < times; i++) {
            socket.getOutputStream().write(1);
            if (socket.getInputStream().read() < 0) {
                throw new IOException("closed by the server");
            }
        }
        return "";
    }

    /** Sends a text in which underscores stand for spaces, to a server that echoes. */
    private String say(Socket socket, String text) throws IOException {
        byte[] bytes = text.replace('_', ' ').getBytes(StandardCharsets.US_ASCII);
        socket.getOutputStream().write(bytes);
        if (socket.getInputStream().readNBytes(bytes.length).length < bytes.length) {
            throw new IOException("closed by the server");
        }
        return "";
    }

    private String flood(int id) {
        Socket socket = clients.get(id);
        AtomicBoolean on = new AtomicBoolean(true);
        floods.put(id, on);
        start(() -> {
            byte[] block = new byte[16_384];
            try {
                while (on.get()) {
                    socket.getOutputStream().write(block);
                }
            } catch (IOException closed) {
                // Disconnected while flooding.
            }
        });
        return "";
    }

    private String calm(int id) {
        floods.get(id).set(false);
        return "";
    }

    /** As many bytes at once, and their echo. */
    private String exchange(Socket socket, int bytes) throws IOException {
        socket.getOutputStream().write(new byte[bytes]);
        if (socket.getInputStream().readNBytes(bytes).length < bytes) {
            throw new IOException("closed by the server");
        }
        return "";
    }

    /** Large answers, one after the other. */
    private String fetch(Socket socket, int times) throws IOException {
        for (int i = 0; i < times; i++) {
            socket.getOutputStream().write(1);
            if (socket.getInputStream().readNBytes(LARGE).length < LARGE) {
                throw new IOException("closed by the server");
            }
        }
        return "";
    }

    /** Large answers on all connections at once. */
    private String together(int times) {
        List<CompletableFuture<String>> all = clients.values().stream()
                .map(socket -> CompletableFuture.supplyAsync(
                        () -> {
                            try {
                                return fetch(socket, times);
                            } catch (IOException e) {
                                throw new UncheckedIOException(e);
                            }
                        },
                        TrafficMain::start))
                .toList();
        all.forEach(CompletableFuture::join);
        return "";
    }

    private String disconnect(int id) throws IOException {
        clients.get(id).close();
        return "";
    }

    private static void start(Runnable work) {
        Thread thread = new Thread(work);
        thread.setDaemon(true);
        thread.start();
    }

    private static void sleep(long millis) {
        try {
            Thread.sleep(millis);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}

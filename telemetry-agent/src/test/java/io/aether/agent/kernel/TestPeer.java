// SPDX-License-Identifier: Apache-2.0
package io.aether.agent.kernel;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;

/**
 * The program of {@link TestProcess}: an echo server or its client. It opens its sockets only after the first line of
 * input, so that it can be moved into a cgroup before. Single-threaded per connection, blocking reads.
 */
public final class TestPeer {
    private TestPeer() {}

    public static void main(String[] args) throws IOException, InterruptedException {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
        in.readLine();
        if (args[0].equals("server")) {
            serve(args[1], in);
        } else {
            request(args[1], Integer.parseInt(args[2]), in);
        }
    }

    /** Prints its port; ends with its input. */
    private static void serve(String address, BufferedReader in) throws IOException {
        try (ServerSocket server = new ServerSocket(0, 50, InetAddress.getByName(address))) {
            System.out.println(server.getLocalPort());
            Thread acceptor = new Thread(() -> accept(server));
            acceptor.setDaemon(true);
            acceptor.start();
            in.readLine();
        }
    }

    private static void accept(ServerSocket server) {
        try {
            while (true) {
                Socket socket = server.accept();
                Thread echo = new Thread(() -> echo(socket));
                echo.setDaemon(true);
                echo.start();
            }
        } catch (IOException e) {
            // The server is closed.
        }
    }

    private static void echo(Socket socket) {
        byte[] buffer = new byte[65536];
        try (socket;
                InputStream from = socket.getInputStream();
                OutputStream to = socket.getOutputStream()) {
            socket.setTcpNoDelay(true);
            for (int n = from.read(buffer); n >= 0; n = from.read(buffer)) {
                to.write(buffer, 0, n);
            }
        } catch (IOException e) {
            // The client is gone.
        }
    }

    /** For each line "n" sends n bytes and prints after their echo; "send n" does not wait. */
    private static void request(String address, int port, BufferedReader in) throws IOException {
        try (Socket socket = new Socket(address, port)) {
            socket.setTcpNoDelay(true);
            System.out.println("connected");
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                boolean wait = !line.startsWith("send ");
                int bytes = Integer.parseInt(wait ? line : line.substring(5));
                socket.getOutputStream().write(new byte[bytes]);
                if (wait) {
                    socket.getInputStream().readNBytes(bytes);
                }
                System.out.println("done");
            }
        }
    }
}

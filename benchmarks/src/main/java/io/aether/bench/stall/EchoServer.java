// SPDX-License-Identifier: Apache-2.0
package io.aether.bench.stall;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.ServerSocket;
import java.net.Socket;

/**
 * The server that is stopped, in a process of its own: echoes, one thread for each connection. It opens its socket only
 * after the first line of input, so that it can be moved into its cgroup before, prints its port, and ends with its
 * input.
 */
final class EchoServer {
    private EchoServer() {}

    public static void main(String[] args) throws IOException {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, US_ASCII));
        in.readLine();
        try (ServerSocket server = new ServerSocket(0)) {
            System.out.println(server.getLocalPort());
            Thread acceptor = new Thread(() -> accept(server), "acceptor");
            acceptor.setDaemon(true);
            acceptor.start();
            in.readLine();
        }
    }

    private static void accept(ServerSocket server) {
        try {
            while (true) {
                Socket socket = server.accept();
                Thread echo = new Thread(() -> echo(socket), "echo");
                echo.setDaemon(true);
                echo.start();
            }
        } catch (IOException e) {
            // The server is closed.
        }
    }

    private static void echo(Socket socket) {
        byte[] buffer = new byte[1024];
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
}

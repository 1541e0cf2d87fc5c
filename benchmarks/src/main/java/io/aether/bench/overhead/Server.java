// SPDX-License-Identifier: Apache-2.0
package io.aether.bench.overhead;

import static java.nio.charset.StandardCharsets.US_ASCII;

import com.sun.net.httpserver.HttpServer;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * The JDK's HTTP server in a process of its own: a selector that hands each request to a pool, so that every request costs
 * the wake-ups and switches of a blocking server. It opens its socket only after the first line of input, so that it can be
 * moved into its cgroup before, prints its port, and ends with its input.
 */
final class Server {
    /** As many as the client has connections: none waits for a thread. */
    private static final int THREADS = 16;

    private static final int BACKLOG = 1024;
    private static final byte[] BODY = "x".repeat(200).getBytes(US_ASCII);

    private Server() {}

    public static void main(String[] args) throws IOException {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, US_ASCII));
        in.readLine();
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), BACKLOG);
        ExecutorService pool = Executors.newFixedThreadPool(THREADS);
        server.setExecutor(pool);
        server.createContext("/", exchange -> {
            exchange.sendResponseHeaders(200, BODY.length);
            exchange.getResponseBody().write(BODY);
            exchange.close();
        });
        server.start();
        System.out.println(server.getAddress().getPort());
        in.readLine();
        server.stop(0);
        pool.shutdown();
    }
}

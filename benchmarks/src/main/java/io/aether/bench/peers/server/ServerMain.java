// SPDX-License-Identifier: Apache-2.0
package io.aether.bench.peers.server;

import static java.nio.charset.StandardCharsets.US_ASCII;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.aether.bench.overload.Wire;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.util.Arrays;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadLocalRandom;

/**
 * An HTTP server with four workers, each of which is busy with a request for an exponential time of 25 ms on average and
 * uses hardly any processor. Knows nothing of balancers. Argument: the port. Input: {@code errors} answers 500 at once from then on,
 * {@code serve} ends that; the process ends with its input.
 */
public final class ServerMain {
    /** Requests that are served at the same time. */
    public static final int WORKERS = 4;

    /** Of a request. */
    public static final double MEAN_NANOS = 25e6;

    private static final int BACKLOG = 256;
    private static final byte[] BODY = new byte[512];

    private static volatile boolean failing;

    private ServerMain() {}

    public static void main(String[] args) throws IOException {
        // Else answers wait for an acknowledgement, and connections that rivals left idle meanwhile are closed.
        System.setProperty("sun.net.httpserver.nodelay", "true");
        System.setProperty("sun.net.httpserver.maxIdleConnections", "10000");
        System.setProperty("sun.net.httpserver.idleInterval", "3600");
        Arrays.fill(BODY, (byte) 'x');
        HttpServer server = HttpServer.create(new InetSocketAddress(Integer.parseInt(args[0])), BACKLOG);
        server.setExecutor(Executors.newFixedThreadPool(WORKERS));
        server.createContext("/", ServerMain::serve);
        server.start();
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, US_ASCII));
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            failing = line.equals("errors");
        }
        System.exit(0);
    }

    private static void serve(HttpExchange exchange) throws IOException {
        if (failing) {
            exchange.sendResponseHeaders(500, -1);
        } else {
            double nanos = -Math.log(1 - ThreadLocalRandom.current().nextDouble()) * MEAN_NANOS;
            Wire.sleepUntil(System.nanoTime() + Math.round(nanos));
            exchange.sendResponseHeaders(200, BODY.length);
            try (OutputStream body = exchange.getResponseBody()) {
                body.write(BODY);
            }
        }
        exchange.close();
    }
}

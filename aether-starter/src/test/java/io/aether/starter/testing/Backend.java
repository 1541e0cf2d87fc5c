// SPDX-License-Identifier: Apache-2.0
package io.aether.starter.testing;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** A real HTTP server on a free port of loopback, whose behaviour a test sets and whose requests it counts. */
public final class Backend implements AutoCloseable {

    /** What a server does with a request. */
    @FunctionalInterface
    public interface Behaviour {
        void handle(HttpExchange exchange) throws IOException, InterruptedException;
    }

    private final HttpServer server;
    private final ExecutorService threads = Executors.newCachedThreadPool(task -> {
        Thread thread = new Thread(task, "backend");
        thread.setDaemon(true);
        return thread;
    });
    private final AtomicInteger requests = new AtomicInteger();
    private final CountDownLatch closed = new CountDownLatch(1);
    private volatile Behaviour behaviour = exchange -> answer(exchange, 200, "ok");

    public Backend() {
        this(0);
    }

    /** On a port that another one had, say. */
    public Backend(int port) {
        try {
            server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        server.setExecutor(threads);
        server.createContext("/", exchange -> {
            requests.incrementAndGet();
            try (exchange) {
                behaviour.handle(exchange);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        server.start();
    }

    public static void answer(HttpExchange exchange, int status, String body) throws IOException {
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().set("Content-Type", "text/plain");
        exchange.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
        if (bytes.length > 0) {
            exchange.getResponseBody().write(bytes);
        }
    }

    public Backend does(Behaviour next) {
        behaviour = next;
        return this;
    }

    /** Answers with a status. */
    public Backend fails(int status) {
        return does(exchange -> answer(exchange, status, "no"));
    }

    /** Answers after a while. */
    public Backend slow(long millis) {
        return does(exchange -> {
            closed.await(millis, TimeUnit.MILLISECONDS);
            answer(exchange, 200, "late");
        });
    }

    /** Never answers. */
    public Backend hangs() {
        return does(exchange -> closed.await(30, TimeUnit.SECONDS));
    }

    /** Sends headers and a first part, and the rest when {@code more} opens. */
    public Backend streams(CountDownLatch more) {
        return does(exchange -> {
            exchange.sendResponseHeaders(200, 0);
            OutputStream body = exchange.getResponseBody();
            body.write("first\n".getBytes(StandardCharsets.UTF_8));
            body.flush();
            more.await(10, TimeUnit.SECONDS);
            body.write("second\n".getBytes(StandardCharsets.UTF_8));
        });
    }

    public int port() {
        return server.getAddress().getPort();
    }

    public String uri() {
        return "http://127.0.0.1:" + port();
    }

    public int requests() {
        return requests.get();
    }

    public void forget() {
        requests.set(0);
    }

    @Override
    public void close() {
        closed.countDown();
        server.stop(0);
        threads.shutdownNow();
    }
}

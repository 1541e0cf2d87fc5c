// SPDX-License-Identifier: Apache-2.0
package io.aether.bench.demo;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;

/**
 * What the live page asks and presses, over HTTP on loopback: {@code GET /state}, and {@code POST} to {@code /arms/NAME},
 * {@code /faults/NAME/on|off}, {@code /agent/on|off} and {@code /figures/forget}. It breaks things on this machine, so a page
 * that a browser has from elsewhere must not reach it: the host must be a name of loopback (a foreign name that resolves to
 * it is not), the origin that very host, and the body JSON, which a foreign page may not send without being allowed to first.
 */
final class LiveServer implements AutoCloseable {

    /** Where it listens in the demo. */
    static final int PORT = 8081;

    private static final List<String> LOOPBACK = List.of("127.0.0.1", "localhost", "[::1]");

    /** Of a body, which says nothing that the path does not. */
    private static final int MOST_BYTES = 1 << 16;

    /** Switching takes seconds, and looking goes on meanwhile. */
    private static final int THREADS = 4;

    /** What is looked at and switched. */
    interface Board {

        /** Everything, in JSON. */
        String state();

        /**
         * Switches to that arm.
         *
         * @throws IllegalArgumentException if there is none of that name; as in all below
         */
        void arm(String name) throws IOException;

        void fault(String name, boolean on) throws IOException;

        void agent(boolean on) throws IOException;

        /** Begins the figures anew. */
        void forget();
    }

    private final HttpServer server;
    private final ExecutorService threads = Executors.newFixedThreadPool(THREADS, task -> {
        Thread thread = new Thread(task, "live-page");
        thread.setDaemon(true);
        return thread;
    });
    private final Board board;

    private LiveServer(int port, Board board) throws IOException {
        this.board = board;
        this.server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
        server.setExecutor(threads);
        server.createContext("/", this::handle);
        server.start();
    }

    /** @param port 0 for any that is free */
    static LiveServer start(int port, Board board) throws IOException {
        return new LiveServer(port, board);
    }

    int port() {
        return server.getAddress().getPort();
    }

    private void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            String path = exchange.getRequestURI().getPath();
            String refusal = refusal(exchange.getRequestHeaders());
            if (refusal != null) {
                answer(exchange, 403, error(refusal));
            } else if (exchange.getRequestMethod().equals("GET") && path.equals("/state")) {
                answer(exchange, 200, board.state());
            } else if (!exchange.getRequestMethod().equals("POST")) {
                answer(exchange, 404, error("GET /state, or POST to what is to be switched"));
            } else if (!isJson(exchange.getRequestHeaders().getFirst("Content-Type"))) {
                answer(exchange, 415, error("send Content-Type: application/json"));
            } else {
                post(exchange, List.of(path.substring(1).split("/", -1)));
            }
        }
    }

    private void post(HttpExchange exchange, List<String> path) throws IOException {
        try {
            press(path);
            answer(exchange, 200, "{}");
        } catch (IllegalArgumentException e) {
            answer(exchange, 400, error(String.valueOf(e.getMessage())));
        } catch (IOException | IllegalStateException e) {
            answer(exchange, 500, error(String.valueOf(e.getMessage())));
        }
    }

    private void press(List<String> path) throws IOException {
        if (path.size() == 2 && path.get(0).equals("arms")) {
            board.arm(path.get(1));
        } else if (path.size() == 3 && path.get(0).equals("faults")) {
            board.fault(path.get(1), isOn(path.get(2)));
        } else if (path.size() == 2 && path.get(0).equals("agent")) {
            board.agent(isOn(path.get(1)));
        } else if (path.equals(List.of("figures", "forget"))) {
            board.forget();
        } else {
            throw new IllegalArgumentException("unknown: " + String.join("/", path));
        }
    }

    private static boolean isOn(String word) {
        if (!word.equals("on") && !word.equals("off")) {
            throw new IllegalArgumentException("'" + word + "' is neither on nor off");
        }
        return word.equals("on");
    }

    /** Why this request is not from the page; null when it may be. Programs that are not browsers send no origin. */
    private static @Nullable String refusal(Headers headers) {
        String host = headers.getFirst("Host");
        String origin = headers.getFirst("Origin");
        String site = headers.getFirst("Sec-Fetch-Site");
        if (host == null || !LOOPBACK.contains(host.replaceFirst(":\\d+$", ""))) {
            return "the host must be one of " + LOOPBACK;
        }
        if (origin != null && !origin.equals("http://" + host)) {
            return "another page's request";
        }
        return site == null || site.equals("same-origin") || site.equals("none") ? null : "another site's request";
    }

    private static boolean isJson(@Nullable String type) {
        return type != null && type.replaceFirst(";.*", "").strip().equalsIgnoreCase("application/json");
    }

    private static String error(String text) {
        return "{\"error\":" + Json.quote(text) + "}";
    }

    private static void answer(HttpExchange exchange, int status, String json) throws IOException {
        exchange.getRequestBody().readNBytes(MOST_BYTES); // Read, so that the connection can be used again.
        byte[] body = json.getBytes(UTF_8);
        exchange.getResponseHeaders().set("Content-Type", "application/json");
        exchange.getResponseHeaders().set("Cache-Control", "no-store");
        exchange.sendResponseHeaders(status, body.length);
        exchange.getResponseBody().write(body);
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}

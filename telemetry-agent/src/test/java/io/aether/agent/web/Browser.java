// SPDX-License-Identifier: Apache-2.0
package io.aether.agent.web;

import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.WebSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A real Chromium without a window, told what to do through its DevTools protocol; closing it ends it. */
public final class Browser implements AutoCloseable {
    private static final List<String> NAMES = List.of("chromium", "chromium-browser", "google-chrome", "chrome");
    private static final int PATIENCE_SECONDS = 30;
    private static final JsonMapper JSON = new JsonMapper();

    private final Process process;
    private final WebSocket socket;
    private final AtomicInteger ids = new AtomicInteger();
    private final Map<Integer, CompletableFuture<JsonNode>> calls = new ConcurrentHashMap<>();
    private final Map<String, Consumer<JsonNode>> listeners = new ConcurrentHashMap<>();
    private final List<String> complaints = new CopyOnWriteArrayList<>();
    private final List<String> requests = new CopyOnWriteArrayList<>();

    /** @param profile an empty directory for its files */
    public Browser(Path profile) throws Exception {
        String program = find().orElseThrow();
        process = new ProcessBuilder(
                        program,
                        "--headless=new",
                        "--no-sandbox",
                        "--disable-gpu",
                        "--disable-dev-shm-usage",
                        "--no-first-run",
                        "--hide-scrollbars",
                        "--remote-debugging-port=0",
                        "--user-data-dir=" + profile,
                        "about:blank")
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        try {
            socket = HttpClient.newHttpClient()
                    .newWebSocketBuilder()
                    .buildAsync(page(port(profile)), new Receiver())
                    .get(PATIENCE_SECONDS, TimeUnit.SECONDS);
        } catch (Exception e) {
            end();
            throw e;
        }
        on("Log.entryAdded", event -> complain(event.at("/entry/level"), event.at("/entry/text")));
        on(
                "Runtime.exceptionThrown",
                event -> complaints.add(event.at("/exceptionDetails").toString()));
        on(
                "Network.requestWillBeSent",
                event -> requests.add(event.at("/request/url").asString()));
        for (String domain : List.of("Page", "Runtime", "Log", "Network")) {
            call(domain + ".enable", Map.of());
        }
    }

    /** Where it is installed, if it is. */
    public static Optional<String> find() {
        return Stream.of(System.getenv("PATH").split(File.pathSeparator))
                .flatMap(directory -> NAMES.stream().map(name -> Path.of(directory, name)))
                .filter(Files::isExecutable)
                .map(Path::toString)
                .findFirst();
    }

    private int port(Path profile) throws IOException, InterruptedException {
        Path file = profile.resolve("DevToolsActivePort");
        for (int i = 0; i < PATIENCE_SECONDS * 20 && process.isAlive(); i++) {
            if (Files.exists(file) && Files.size(file) > 0) {
                return Integer.parseInt(Files.readAllLines(file).get(0));
            }
            Thread.sleep(50);
        }
        throw new IOException("the browser did not start");
    }

    private static URI page(int port) throws IOException, InterruptedException {
        URI list = URI.create("http://127.0.0.1:" + port + "/json/list");
        for (int i = 0; i < PATIENCE_SECONDS * 20; i++) {
            String body = HttpClient.newHttpClient()
                    .send(HttpRequest.newBuilder(list).build(), BodyHandlers.ofString())
                    .body();
            for (JsonNode target : JSON.readTree(body)) {
                if (target.get("type").asString().equals("page")) {
                    return URI.create(target.get("webSocketDebuggerUrl").asString());
                }
            }
            Thread.sleep(50);
        }
        throw new IOException("the browser has no page");
    }

    private void complain(JsonNode level, JsonNode text) {
        if (level.asString().equals("error")) {
            complaints.add(text.asString());
        }
    }

    private void on(String event, Consumer<JsonNode> listener) {
        listeners.put(event, listener);
    }

    public JsonNode call(String method, Map<String, ?> parameters) throws Exception {
        return send(method, parameters).get(PATIENCE_SECONDS, TimeUnit.SECONDS);
    }

    private synchronized CompletableFuture<JsonNode> send(String method, Map<String, ?> parameters) {
        int id = ids.incrementAndGet();
        CompletableFuture<JsonNode> answer = new CompletableFuture<>();
        calls.put(id, answer);
        String text = JSON.writeValueAsString(Map.of("id", id, "method", method, "params", parameters));
        socket.sendText(text, true).join();
        return answer;
    }

    public void open(String url) throws Exception {
        call("Page.navigate", Map.of("url", url));
    }

    /** The value of an expression in the page. */
    public JsonNode value(String expression) throws Exception {
        return call("Runtime.evaluate", Map.of("expression", expression, "returnByValue", true, "awaitPromise", true))
                .at("/result/value");
    }

    /** Waits until the expression is true in the page. */
    public void await(String expression) throws Exception {
        for (int i = 0; i < PATIENCE_SECONDS * 20; i++) {
            if (value(expression).asBoolean(false)) {
                return;
            }
            Thread.sleep(50);
        }
        throw new AssertionError("never: " + expression + "; the page says: " + value("document.body.innerText"));
    }

    /** From now on requests of this pattern are answered with this JSON. */
    public void answer(String pattern, String json) throws Exception {
        String body = Base64.getEncoder().encodeToString(json.getBytes(java.nio.charset.StandardCharsets.UTF_8));
        on(
                "Fetch.requestPaused",
                event -> send(
                        "Fetch.fulfillRequest",
                        Map.of("requestId", event.get("requestId").asString(), "responseCode", 200, "body", body)));
        call("Fetch.enable", Map.of("patterns", List.of(Map.of("urlPattern", pattern))));
    }

    public void size(int width, int height, boolean mobile) throws Exception {
        call(
                "Emulation.setDeviceMetricsOverride",
                Map.of("width", width, "height", height, "deviceScaleFactor", mobile ? 2 : 1, "mobile", mobile));
    }

    /** @param scheme {@code light} or {@code dark} */
    public void prefer(String scheme) throws Exception {
        call(
                "Emulation.setEmulatedMedia",
                Map.of("features", List.of(Map.of("name", "prefers-color-scheme", "value", scheme))));
    }

    /** The whole page as a picture. */
    public void picture(Path file) throws Exception {
        JsonNode data = call("Page.captureScreenshot", Map.of("format", "png", "captureBeyondViewport", true));
        Files.createDirectories(file.getParent());
        Files.write(file, Base64.getDecoder().decode(data.get("data").asString()));
    }

    /** Errors of scripts, of the network and of the page's own policy, since the last call. */
    public List<String> complaints() {
        List<String> all = List.copyOf(complaints);
        complaints.clear();
        return all;
    }

    /** The address of everything that was asked for since the start, by pages and for them, and of streams. */
    public List<String> requests() {
        return List.copyOf(requests);
    }

    private void end() {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
        process.onExit().orTimeout(5, TimeUnit.SECONDS).join();
    }

    @Override
    public void close() {
        try {
            send("Browser.close", Map.of()); // Asked, it removes what it made outside its profile.
            process.waitFor(5, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (CompletionException e) {
            // It is gone already.
        }
        socket.abort();
        end();
    }

    private final class Receiver implements WebSocket.Listener {
        private final StringBuilder text = new StringBuilder();

        @Override
        public CompletionStage<?> onText(WebSocket webSocket, CharSequence data, boolean last) {
            text.append(data);
            if (last) {
                JsonNode message = JSON.readTree(text.toString());
                text.setLength(0);
                // Listeners send, and the answer to that comes through here.
                CompletableFuture.runAsync(() -> dispatch(message));
            }
            webSocket.request(1);
            return CompletableFuture.completedFuture(null);
        }

        private void dispatch(JsonNode message) {
            if (message.has("id")) {
                calls.remove(message.get("id").asInt()).complete(message.path("result"));
            } else if (listeners.containsKey(message.path("method").asString())) {
                listeners.get(message.path("method").asString()).accept(message.path("params"));
            }
        }
    }
}

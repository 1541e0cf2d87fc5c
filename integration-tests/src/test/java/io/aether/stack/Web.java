// SPDX-License-Identifier: Apache-2.0
package io.aether.stack;

import java.io.IOException;
import java.net.ServerSocket;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.Callable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectMapper;

/** HTTP of a test, and its waiting. */
final class Web {

    static final HttpClient CLIENT =
            HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(2)).build();

    private static final ObjectMapper JSON = new ObjectMapper();

    private Web() {}

    static HttpResponse<String> get(String url) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create(url))
                .timeout(Duration.ofSeconds(15))
                .build();
        return CLIENT.send(request, HttpResponse.BodyHandlers.ofString());
    }

    static JsonNode json(String url) throws IOException, InterruptedException {
        return JSON.readTree(get(url).body());
    }

    /** What Prometheus answers to a query now: the list of its series. */
    static JsonNode query(String prometheus, String expression) throws IOException, InterruptedException {
        JsonNode answer =
                json(prometheus + "/api/v1/query?query=" + URLEncoder.encode(expression, StandardCharsets.UTF_8));
        if (!answer.path("status").asString().equals("success")) {
            throw new IllegalStateException("Prometheus refuses " + expression + ": " + answer.path("error"));
        }
        return answer.path("data").path("result");
    }

    /** Asks again until it is true; false after the limit. A failure to ask counts as not yet. */
    static boolean await(Duration limit, Callable<Boolean> condition) throws InterruptedException {
        long end = System.nanoTime() + limit.toNanos();
        while (System.nanoTime() < end) {
            if (holds(condition)) {
                return true;
            }
            Thread.sleep(100);
        }
        return false;
    }

    private static boolean holds(Callable<Boolean> condition) throws InterruptedException {
        try {
            return condition.call();
        } catch (InterruptedException e) {
            throw e;
        } catch (Exception notYet) {
            return false;
        }
    }

    static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        }
    }
}

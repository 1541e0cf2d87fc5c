// SPDX-License-Identifier: Apache-2.0
package io.aether.bench.demo;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Talks to the processes of the demo over HTTP. Thread-safe. */
public final class Control {

    private static final Duration TIMEOUT = Duration.ofSeconds(5);
    private static final Duration START_LIMIT = Duration.ofMinutes(3);

    private final HttpClient http = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(TIMEOUT)
            .build();

    public HttpResponse<String> get(String url) throws IOException {
        return send(HttpRequest.newBuilder(URI.create(url)));
    }

    /** Makes one checkout and says whether it succeeded. */
    boolean checkout(Topology.Node gateway) {
        try {
            return get(gateway.url("/checkout")).statusCode() == 200;
        } catch (IOException e) {
            return false;
        }
    }

    boolean healthy(Topology.Node node) {
        try {
            return get(node.url("/actuator/health")).statusCode() == 200;
        } catch (IOException e) {
            return false;
        }
    }

    /** Waits for a process to answer; fails at once when it has ended. */
    public void awaitHealthy(Topology.Node node, Process process) throws IOException {
        long deadline = System.nanoTime() + START_LIMIT.toNanos();
        while (!healthy(node)) {
            if (!process.isAlive()) {
                throw new IOException(node.name() + " ended with exit code " + process.exitValue() + " while starting");
            }
            if (System.nanoTime() > deadline) {
                throw new IOException(node.name() + " was not healthy within " + START_LIMIT.toSeconds() + " s");
            }
            try {
                Thread.sleep(100);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IOException("interrupted", e);
            }
        }
    }

    /** Switches the nodes, one after the other so that the load hardly notices, and returns those that did not take it. */
    List<Topology.Node> switchTo(Arm arm, List<Topology.Node> nodes) {
        return nodes.stream().filter(node -> !switched(arm, node)).toList();
    }

    private boolean switched(Arm arm, Topology.Node node) {
        return posted(node.url("/actuator/aether"), arm.switchBody());
    }

    /** Whether the process took this JSON. */
    public boolean posted(String url, String json) {
        try {
            HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(url))
                    .header("Content-Type", "application/json")
                    .POST(HttpRequest.BodyPublishers.ofString(json));
            return send(request).statusCode() / 100 == 2;
        } catch (IOException e) {
            return false;
        }
    }

    /** Requests that the node has served since its start, by service; empty when it does not answer. */
    Map<String, Long> served(Topology.Node node) {
        return counts(node, 1);
    }

    /** Those of them whose own work was done, whatever became of their calls. */
    public Map<String, Long> done(Topology.Node node) {
        return counts(node, 2);
    }

    private Map<String, Long> counts(Topology.Node node, int field) {
        Map<String, Long> counts = new HashMap<>();
        try {
            get(node.url("/served"))
                    .body()
                    .lines()
                    .map(line -> line.split(" ", -1))
                    .forEach(fields -> counts.put(fields[0], Long.parseLong(fields[field])));
        } catch (IOException e) {
            // An instance that is down has served nothing that still counts.
        }
        return counts;
    }

    /** What the node has hedged since its start; nothing when it does not answer. */
    Hedged hedged(Topology.Node node) {
        try {
            return Hedged.of(get(node.url("/actuator/aether")).body());
        } catch (IOException e) {
            return Hedged.NONE;
        }
    }

    /** Makes the node answer 500 at once, or stops that. */
    void errors(Topology.Node node, boolean on) throws IOException {
        send(HttpRequest.newBuilder(URI.create(node.url("/fault/errors/" + (on ? "on" : "off"))))
                .POST(HttpRequest.BodyPublishers.noBody()));
    }

    private HttpResponse<String> send(HttpRequest.Builder request) throws IOException {
        try {
            return http.send(request.timeout(TIMEOUT).build(), HttpResponse.BodyHandlers.ofString());
        } catch (IOException e) {
            throw new IOException(request.build().uri() + ": " + e, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.aether.starter.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.Socket;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Mono;

/** Event loops with too much to do, and with nothing. One application at a time, for they share their loops. */
class EventLoopsIT {

    @Test
    void whatTheyHaveNotReadIsTheQueue() throws Exception {
        List<Connection> connections = new ArrayList<>();
        try (Served app = new Served(
                App.class,
                WebApplicationType.REACTIVE,
                "aether.server.objective=250ms",
                "aether.server.priority=bulk")) {
            for (int i = 0; i < 80; i++) {
                connections.add(new Connection(app.port()));
            }
            for (Connection connection : connections) {
                connection.send("/spins/0");
                connection.status();
            }
            for (Connection connection : connections) {
                connection.send("/spins/50");
            }
            // Four seconds of work, all there at once, of which 55 ms of queue are allowed.
            int refused = 0;
            for (Connection connection : connections) {
                refused += connection.status() == 503 ? 1 : 0;
            }
            assertThat(refused).isBetween(20, 79);
            await().untilAsserted(
                            () -> assertThat(app.get("/spins/0").statusCode()).isEqualTo(200));
            await().untilAsserted(() ->
                    assertThat(app.bean(ServerLoad.class).inFlight()).isZero());
        } finally {
            for (Connection connection : connections) {
                connection.close();
            }
        }
    }

    @Test
    void aServerThatOnlyWaitsHasNoQueueHoweverManyAreInFlight() {
        // 300 requests of 1.5 s in flight on two CPUs would be minutes of queue, if that were what a queue is.
        try (Served app = new Served(
                App.class, WebApplicationType.REACTIVE, "aether.server.objective=20s", "aether.server.priority=bulk")) {
            ServerLoad load = app.bean(ServerLoad.class);
            List<CompletableFuture<HttpResponse<String>>> sleeping = new ArrayList<>();
            for (int i = 0; i < 300; i++) {
                sleeping.add(app.later("/sleeps/1500"));
            }
            await().untilAsserted(() -> assertThat(load.inFlight()).isGreaterThan(100));
            assertThat(sleeping)
                    .allSatisfy(one -> assertThat(one.join().statusCode()).isEqualTo(200));
            await().untilAsserted(() -> assertThat(load.inFlight()).isZero());
        }
    }

    /** A connection on which requests are sent without waiting for the client's own threads. */
    private static final class Connection implements AutoCloseable {
        private final Socket socket;
        private final BufferedReader answers;

        Connection(int port) throws IOException {
            socket = new Socket("127.0.0.1", port);
            socket.setSoTimeout(30_000);
            answers = new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII));
        }

        void send(String path) throws IOException {
            socket.getOutputStream()
                    .write(("GET " + path + " HTTP/1.1\r\nHost: a\r\n\r\n").getBytes(StandardCharsets.US_ASCII));
        }

        /** Of the next answer, whose body has a length. */
        int status() throws IOException {
            String line = answers.readLine();
            int status = Integer.parseInt(line.substring(9, 12));
            int length = 0;
            for (line = answers.readLine(); !line.isEmpty(); line = answers.readLine()) {
                if (line.regionMatches(true, 0, "content-length:", 0, 15)) {
                    length = Integer.parseInt(line.substring(15).strip());
                }
            }
            for (int i = 0; i < length; i++) {
                answers.read();
            }
            return status;
        }

        @Override
        public void close() throws IOException {
            socket.close();
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @Import(Controller.class)
    static class App {}

    @RestController
    static class Controller {
        @GetMapping("/spins/{millis}")
        Mono<String> spins(@PathVariable long millis) {
            long end = System.nanoTime() + millis * 1_000_000;
            while (System.nanoTime() < end) {
                Thread.onSpinWait();
            }
            return Mono.just("spun");
        }

        @GetMapping("/sleeps/{millis}")
        Mono<String> sleeps(@PathVariable long millis) {
            return Mono.delay(Duration.ofMillis(millis)).thenReturn("slept");
        }
    }
}

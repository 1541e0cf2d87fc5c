// SPDX-License-Identifier: Apache-2.0
package io.aether.sample;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

/** The whole graph in one process that calls itself over HTTP through the balancer. */
class CheckoutIT {

    private final HttpClient http = HttpClient.newHttpClient();

    @Test
    void aCheckoutMakesExactly45Calls() throws Exception {
        try (ConfigurableApplicationContext app =
                start(String.join(",", Graph.services().keySet()))) {
            int port = port(app);
            assertThat(send(port, "GET", "/checkout").statusCode()).isEqualTo(200);
            awaitServed(port, 45);
            assertThat(send(port, "GET", "/served").body())
                    .contains(
                            "catalog 4 4\n",
                            "db 8 8\n",
                            "cache 6 6\n",
                            "shard 4 4\n",
                            "checkout 1 1\n",
                            "analytics 1 1\n");
            assertThat(send(port, "GET", "/checkout").statusCode()).isEqualTo(200);
            awaitServed(port, 90);
            assertThat(send(port, "GET", "/graph").body())
                    .contains(
                            "{\"to\":\"catalog\",\"count\":3,\"optional\":false}",
                            "{\"to\":\"notify\",\"count\":1,\"optional\":true}",
                            "\"host\":\"127.0.0.1\",\"port\":" + port + ",\"address\":\"127.0.0.1\"}");
        }
    }

    @Test
    void aFixedNumberOfWorkersTakesOneRequestAfterTheOther() throws Exception {
        try (ConfigurableApplicationContext app = start("catalog", "--sample.workers=1", "--sample.slower=50")) {
            int port = port(app);
            HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/catalog"))
                    .header("x-draw", "7") // The same time for each.
                    .build();
            long begun = System.nanoTime();
            http.send(request, HttpResponse.BodyHandlers.discarding());
            double one = System.nanoTime() - begun;
            begun = System.nanoTime();
            List<CompletableFuture<HttpResponse<Void>>> all = new ArrayList<>();
            for (int i = 0; i < 5; i++) {
                all.add(http.sendAsync(request, HttpResponse.BodyHandlers.discarding()));
            }
            for (CompletableFuture<HttpResponse<Void>> each : all) {
                assertThat(each.get(30, TimeUnit.SECONDS).statusCode()).isEqualTo(200);
            }
            assertThat((System.nanoTime() - begun) / Math.min(one, 50e6)).isGreaterThan(3);
            assertThat(app.getBean(Desk.class).most()).isEqualTo(1);
            assertThat(app.getBean(Desk.class).waiting()).isZero();
        }
    }

    @Test
    void optionalServicesNeverFailACheckout() throws Exception {
        List<String> hosted = new ArrayList<>(Graph.services().keySet());
        hosted.removeAll(List.of("notify", "recommend", "analytics"));
        try (ConfigurableApplicationContext app = start(String.join(",", hosted))) {
            int port = port(app);
            assertThat(send(port, "GET", "/checkout").statusCode()).isEqualTo(200);
        }
    }

    @Test
    void aMandatoryServiceThatIsMissingFailsIt() throws Exception {
        List<String> hosted = new ArrayList<>(Graph.services().keySet());
        hosted.remove("ledger");
        try (ConfigurableApplicationContext app = start(String.join(",", hosted))) {
            int port = port(app);
            assertThat(send(port, "GET", "/checkout").statusCode()).isEqualTo(502);
        }
    }

    @Test
    void theErrorSwitchAnswers500UntilItIsOff() throws Exception {
        try (ConfigurableApplicationContext app = start("catalog")) {
            int port = port(app);
            assertThat(send(port, "GET", "/catalog").body()).hasSize(4_000);
            assertThat(send(port, "POST", "/fault/errors/on").statusCode()).isEqualTo(204);
            assertThat(send(port, "GET", "/catalog").statusCode()).isEqualTo(500);
            assertThat(send(port, "POST", "/fault/errors/off").statusCode()).isEqualTo(204);
            assertThat(send(port, "GET", "/catalog").statusCode()).isEqualTo(200);
            assertThat(send(port, "GET", "/tax").statusCode()).isEqualTo(404);
            assertThat(send(port, "GET", "/actuator/health").statusCode()).isEqualTo(200);
        }
    }

    @Test
    void aWrongServiceStopsTheStartAndIsNamed() throws Exception {
        assertThatThrownBy(() -> start("nonsense")).rootCause().hasMessageContaining("'nonsense'");
        assertThatThrownBy(() -> start("")).rootCause().hasMessageContaining("sample.services is empty");
    }

    private static ConfigurableApplicationContext start(String services, String... more) throws IOException {
        int port = freePort();
        List<String> args = new ArrayList<>(List.of("--server.port=" + port, "--sample.services=" + services));
        args.addAll(List.of(more));
        Graph.services()
                .keySet()
                .forEach(id -> args.add(
                        "--spring.cloud.discovery.client.simple.instances." + id + "[0].uri=http://127.0.0.1:" + port));
        return new SpringApplicationBuilder(SampleApplication.class).run(args.toArray(String[]::new));
    }

    private static int port(ConfigurableApplicationContext app) {
        return app.getEnvironment().getRequiredProperty("server.port", Integer.class);
    }

    private HttpResponse<String> send(int port, String method, String path) throws Exception {
        return http.send(
                HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                        .method(method, HttpRequest.BodyPublishers.noBody())
                        .timeout(Duration.ofSeconds(30))
                        .build(),
                HttpResponse.BodyHandlers.ofString());
    }

    /** The optional calls still run when the answer is back; counted is what they have worked. */
    private void awaitServed(int port, long expected) throws Exception {
        long deadline = System.nanoTime() + Duration.ofSeconds(10).toNanos();
        long served = 0;
        while (served < expected && System.nanoTime() < deadline) {
            Thread.sleep(50);
            served = send(port, "GET", "/served")
                    .body()
                    .lines()
                    .mapToLong(line -> Long.parseLong(line.split(" ")[2]))
                    .sum();
        }
        assertThat(served).isEqualTo(expected);
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        }
    }
}

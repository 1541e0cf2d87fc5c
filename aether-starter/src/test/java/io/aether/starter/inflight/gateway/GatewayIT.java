// SPDX-License-Identifier: Apache-2.0
package io.aether.starter.inflight.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.aether.core.pick.Instance;
import io.aether.starter.balancer.ServiceFleet;
import io.aether.starter.balancer.ServiceFleets;
import io.aether.starter.inflight.FailureKind;
import io.aether.starter.testing.Apps;
import io.aether.starter.testing.Backend;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.cloud.gateway.route.RouteLocator;
import org.springframework.cloud.gateway.route.builder.RouteLocatorBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Routes of a real gateway to real servers. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class GatewayIT {

    private final Backend good = new Backend();
    private final Backend other = new Backend();
    private final Backend bad = new Backend();
    private final HttpClient client = HttpClient.newHttpClient();
    private ConfigurableApplicationContext gateway;
    private int port;

    @BeforeAll
    void start() {
        gateway = Apps.start(
                App.class,
                WebApplicationType.REACTIVE,
                List.of(good, other, bad),
                "spring.cloud.gateway.server.webflux.enabled=true",
                "spring.cloud.gateway.server.webflux.httpclient.response-timeout=2s");
        port = gateway.getEnvironment().getRequiredProperty("local.server.port", int.class);
    }

    @AfterAll
    void stop() {
        gateway.close();
        List.of(good, other, bad).forEach(Backend::close);
    }

    @BeforeEach
    void healthy() {
        List.of(good, other, bad).forEach(backend -> backend.does(exchange -> Backend.answer(exchange, 200, "ok")));
    }

    @Test
    void aRouteLeavesAFailingInstance() throws Exception {
        bad.fails(500);
        for (int i = 0; i < 30; i++) {
            get("/plain");
        }
        List.of(good, other, bad).forEach(Backend::forget);
        for (int i = 0; i < 100; i++) {
            get("/plain");
        }
        assertThat(bad.requests()).isLessThan(20);
        assertThat(good.requests() + other.requests()).isGreaterThan(80);
        assertNothingInFlight();
    }

    @Test
    void aRetryAvoidsTheInstanceThatFailed() throws Exception {
        bad.fails(500);
        for (int i = 0; i < 40; i++) {
            assertThat(get("/retried")).isEqualTo(200);
        }
        assertNothingInFlight();
    }

    @Test
    void aResponseTimeoutIsAFailure() throws Exception {
        List.of(good, other, bad).forEach(Backend::hangs);
        long before = fleet().failures(FailureKind.TIMEOUT);
        assertThat(get("/plain")).isEqualTo(504);
        assertThat(fleet().failures(FailureKind.TIMEOUT)).isEqualTo(before + 1);
        assertNothingInFlight();
    }

    @Test
    void anAnswerIsInFlightUntilItsBodyIsWritten() throws Exception {
        CountDownLatch more = new CountDownLatch(1);
        List.of(good, other, bad).forEach(backend -> backend.streams(more));
        try (InputStream body =
                client.send(request("/plain"), BodyHandlers.ofInputStream()).body()) {
            assertThat(body.read()).isEqualTo('f');
            assertThat(inFlight()).isOne();
            more.countDown();
            assertThat(new String(body.readAllBytes(), StandardCharsets.UTF_8)).isEqualTo("irst\nsecond\n");
        }
        assertNothingInFlight();
    }

    @Test
    void aClientThatHangsUpLeavesNothingInFlight() throws Exception {
        CountDownLatch more = new CountDownLatch(1);
        List.of(good, other, bad).forEach(backend -> backend.streams(more));
        try (Socket socket = new Socket("127.0.0.1", port)) {
            socket.setSoLinger(true, 0); // A reset, as when a client is killed.
            socket.getOutputStream()
                    .write("GET /plain HTTP/1.1\r\nHost: gateway\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
            await().untilAsserted(() -> assertThat(inFlight()).isOne());
        }
        assertNothingInFlight();
        more.countDown();
    }

    private int inFlight() {
        ServiceFleet fleet = gateway.getBean(ServiceFleets.class).find(Apps.SERVICE);
        return fleet == null ? 0 : fleet.inFlight();
    }

    private int get(String path) throws IOException, InterruptedException {
        return client.send(request(path), BodyHandlers.ofString()).statusCode();
    }

    private HttpRequest request(String path) {
        return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                .timeout(Duration.ofSeconds(10))
                .build();
    }

    private ServiceFleet fleet() {
        return gateway.getBean(ServiceFleets.class).get(Apps.SERVICE);
    }

    private void assertNothingInFlight() {
        await().atMost(Duration.ofSeconds(5))
                .untilAsserted(() -> assertThat(fleet().instances())
                        .extracting(Instance::inFlight)
                        .containsOnly(0));
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class App {

        @Bean
        RouteLocator routes(RouteLocatorBuilder routes) {
            return routes.routes()
                    .route("plain", route -> route.path("/plain").uri("lb://" + Apps.SERVICE))
                    .route(
                            "retried",
                            route -> route.path("/retried")
                                    .filters(filters -> filters.retry(retry -> retry.setRetries(1)))
                                    .uri("lb://" + Apps.SERVICE))
                    .build();
        }
    }
}

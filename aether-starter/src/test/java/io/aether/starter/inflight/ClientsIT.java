// SPDX-License-Identifier: Apache-2.0
package io.aether.starter.inflight;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.aether.core.pick.Instance;
import io.aether.starter.balancer.ServiceFleet;
import io.aether.starter.balancer.ServiceFleets;
import io.aether.starter.testing.Apps;
import io.aether.starter.testing.Backend;
import io.aether.starter.testing.BalancedClients;
import java.io.InputStream;
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
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.web.client.RestClient;
import org.springframework.web.client.RestTemplate;
import org.springframework.web.reactive.function.client.WebClient;
import org.springframework.web.service.annotation.GetExchange;
import org.springframework.web.service.registry.ImportHttpServices;
import reactor.core.Disposable;

/** Every kind of client, with real connections: where requests go, and that none stays in flight. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ClientsIT {

    private static final String URL = "http://" + Apps.SERVICE + "/";

    private final Backend good = new Backend();
    private final Backend other = new Backend();
    private final Backend bad = new Backend();
    private ConfigurableApplicationContext app;
    private WebClient webClient;
    private RestClient restClient;
    private RestTemplate restTemplate;

    @BeforeAll
    void start() {
        app = Apps.start(App.class, WebApplicationType.NONE, List.of(good, other, bad));
        webClient = app.getBean(WebClient.Builder.class).build();
        restClient = app.getBean(RestClient.Builder.class).build();
        restTemplate = app.getBean(RestTemplate.class);
    }

    @AfterAll
    void stop() {
        app.close();
        List.of(good, other, bad).forEach(Backend::close);
    }

    @BeforeEach
    void healthy() {
        List.of(good, other, bad).forEach(backend -> backend.does(exchange -> Backend.answer(exchange, 200, "ok")));
    }

    @Test
    void webClientLeavesAFailingInstance() {
        leavesFailing(() -> webClient
                .get()
                .uri(URL)
                .exchangeToMono(response -> response.bodyToMono(String.class))
                .block());
    }

    @Test
    void restClientLeavesAFailingInstance() {
        leavesFailing(() -> restClient.get().uri(URL).exchange((request, response) -> response.getStatusCode()));
    }

    @Test
    void restTemplateLeavesAFailingInstance() {
        leavesFailing(() -> {
            try {
                restTemplate.getForObject(URL, String.class);
            } catch (RuntimeException serverError) {
                assertThat(serverError).hasMessageContaining("503");
            }
        });
    }

    private void leavesFailing(Runnable call) {
        bad.fails(503);
        for (int i = 0; i < 30; i++) {
            call.run();
        }
        List.of(good, other, bad).forEach(Backend::forget);
        for (int i = 0; i < 100; i++) {
            call.run();
        }
        assertThat(bad.requests()).isLessThan(20);
        // One caller that waits for each answer may stay with the one whose first answer was not a cold start's.
        assertThat(good.requests() + other.requests()).isGreaterThan(80);
        assertNothingInFlight();
    }

    @Test
    void aTimeoutOfWebClientLeavesNothingInFlight() {
        List.of(good, other, bad).forEach(Backend::hangs);
        assertThatThrownBy(() -> webClient
                        .get()
                        .uri(URL)
                        .retrieve()
                        .bodyToMono(String.class)
                        .timeout(Duration.ofMillis(50))
                        .block())
                .hasMessageContaining("50ms");
        assertNothingInFlight();
    }

    @Test
    void aStreamingBodyIsInFlightUntilItEnds() {
        CountDownLatch more = new CountDownLatch(1);
        List.of(good, other, bad).forEach(backend -> backend.streams(more));
        Disposable call =
                webClient.get().uri(URL).retrieve().bodyToFlux(String.class).subscribe();
        await().untilAsserted(() -> assertThat(fleet().inFlight()).isOne());
        more.countDown();
        await().until(call::isDisposed);
        assertNothingInFlight();
    }

    @Test
    void aCancelledBodyIsOver() {
        CountDownLatch more = new CountDownLatch(1);
        List.of(good, other, bad).forEach(backend -> backend.streams(more));
        String first =
                webClient.get().uri(URL).retrieve().bodyToFlux(String.class).blockFirst();
        more.countDown();
        assertThat(first).isEqualTo("first");
        assertNothingInFlight();
    }

    @Test
    void aBlockingResponseIsInFlightUntilItIsClosed() {
        CountDownLatch more = new CountDownLatch(1);
        List.of(good, other, bad).forEach(backend -> backend.streams(more));
        String body = restClient.get().uri(URL).exchange((request, response) -> {
            assertThat(fleet().inFlight()).isOne();
            more.countDown();
            try (InputStream in = response.getBody()) {
                return new String(in.readAllBytes());
            }
        });
        assertThat(body).isEqualTo("first\nsecond\n");
        assertNothingInFlight();
    }

    @Test
    void httpInterfacesAreBalancedAndCounted() {
        bad.fails(503);
        Shop shop = app.getBean(Shop.class);
        for (int i = 0; i < 60; i++) {
            try {
                assertThat(shop.get()).isEqualTo("ok");
            } catch (RuntimeException serverError) {
                assertThat(serverError).hasMessageContaining("503");
            }
        }
        List.of(good, other, bad).forEach(Backend::forget);
        for (int i = 0; i < 60; i++) {
            try {
                shop.get();
            } catch (RuntimeException serverError) {
                assertThat(serverError).hasMessageContaining("503");
            }
        }
        assertThat(bad.requests()).isLessThan(15);
        assertNothingInFlight();
    }

    @Test
    void anInstanceThatRefusesConnectionsIsLeftAtOnce() {
        try (ConfigurableApplicationContext second = Apps.start(
                App.class,
                WebApplicationType.NONE,
                List.of(good, other),
                "spring.cloud.discovery.client.simple.instances.shop[2].uri=http://127.0.0.1:1")) {
            WebClient caller = second.getBean(WebClient.Builder.class).build();
            ServiceFleet fleet = second.getBean(ServiceFleets.class).get(Apps.SERVICE);
            // How soon it is tried depends on how slow the first answers of the others were.
            await().until(() -> refusals(caller, 10) > 0);
            // After each ejection one more may try.
            assertThat(refusals(caller, 60)).isLessThanOrEqualTo(3);
            assertThat(fleet.failures(FailureKind.CONNECT)).isBetween(1L, 4L);
            // The caller has its answer a moment before the flight is over.
            await().untilAsserted(() -> assertThat(fleet.inFlight()).isZero());
        }
    }

    private static int refusals(WebClient caller, int requests) {
        int refused = 0;
        for (int i = 0; i < requests; i++) {
            String body = caller.get()
                    .uri(URL)
                    .retrieve()
                    .bodyToMono(String.class)
                    .onErrorReturn("refused")
                    .block();
            refused += "refused".equals(body) ? 1 : 0;
        }
        return refused;
    }

    private ServiceFleet fleet() {
        ServiceFleet fleet = app.getBean(ServiceFleets.class).find(Apps.SERVICE);
        assertThat(fleet).isNotNull();
        return fleet;
    }

    private void assertNothingInFlight() {
        await().atMost(Duration.ofSeconds(5))
                .untilAsserted(() -> assertThat(fleet().instances())
                        .extracting(Instance::inFlight)
                        .containsOnly(0));
    }

    /** Named like the service: Spring gives such a group a load-balanced client. */
    interface Shop {
        @GetExchange("/")
        String get();
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @Import(BalancedClients.class)
    @ImportHttpServices(group = Apps.SERVICE, types = Shop.class)
    static class App {}
}

// SPDX-License-Identifier: Apache-2.0
package io.aether.starter.limit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import io.aether.starter.limit.blocking.GrantedRetryFactory;
import io.aether.starter.testing.Apps;
import io.aether.starter.testing.Backend;
import io.aether.starter.testing.BalancedClients;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.cloud.client.loadbalancer.LoadBalancedRetryFactory;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.web.client.RestClient;
import org.springframework.web.reactive.function.client.WebClient;

/** Spring's own retries, blocking and reactive, against real servers. */
class RetriesIT {

    /** Enough for the budget to be empty: ten and a tenth of these. */
    private static final int CALLS = 100;

    private final Backend backend = new Backend();
    private ConfigurableApplicationContext app;

    @BeforeEach
    void start() {
        app = Apps.start(
                App.class,
                WebApplicationType.NONE,
                List.of(backend),
                "spring.cloud.discovery.client.simple.instances.gone[0].uri=http://127.0.0.1:1",
                "spring.cloud.loadbalancer.retry.enabled=true",
                "spring.cloud.loadbalancer.retry.max-retries-on-next-service-instance=3",
                "spring.cloud.loadbalancer.retry.retryable-status-codes=500,503",
                "aether.limit.grace=0s");
    }

    @AfterEach
    void stop() {
        app.close();
        backend.close();
    }

    /** The status of an answer; throws if there is none. */
    private interface Client {
        int get(String service);
    }

    private Client client(String kind) {
        if (kind.equals("RestClient")) {
            assertThat(app.getBean(LoadBalancedRetryFactory.class)).isInstanceOf(GrantedRetryFactory.class);
            RestClient client = app.getBean(RestClient.Builder.class).build();
            return service -> client.get()
                    .uri("http://" + service + "/")
                    .exchange((request, response) -> response.getStatusCode().value());
        }
        WebClient client = app.getBean(WebClient.Builder.class).build();
        return service -> client.get()
                .uri("http://" + service + "/")
                .exchangeToMono(response ->
                        response.releaseBody().thenReturn(response.statusCode().value()))
                .blockOptional()
                .orElseThrow();
    }

    private Branch branch(String service) {
        return app.getBean(BranchLimits.class).all().stream()
                .filter(branch -> branch.service().equals(service))
                .findAny()
                .orElseThrow();
    }

    @ParameterizedTest
    @ValueSource(strings = {"RestClient", "WebClient"})
    void answersAreRetriedWithinTheBudget(String kind) {
        backend.fails(500);
        Client client = client(kind);
        for (int i = 0; i < CALLS; i++) {
            assertThat(client.get("shop")).isEqualTo(500);
        }
        int retries = backend.requests() - CALLS;
        // A second or more goes by, each of which has a tenth of a retry.
        assertThat(retries).isBetween(15, 28);
        assertThat(branch("shop").retries().spentTotal()).isEqualTo(retries);
        assertThat(branch("shop").retries().deniedTotal()).isBetween(50L, (long) CALLS);
        await().untilAsserted(
                        () -> assertThat(branch("shop").limiter().inFlight()).isZero());
    }

    @ParameterizedTest
    @ValueSource(strings = {"RestClient", "WebClient"})
    void errorsAreRetriedWithinTheBudget(String kind) {
        Client client = client(kind);
        for (int i = 0; i < CALLS; i++) {
            assertThat(catchThrowable(() -> client.get("gone"))).hasStackTraceContaining("Connection refused");
        }
        assertThat(branch("gone").retries().spentTotal()).isBetween(15L, 28L);
        // Reactive callers hear of the error a moment before it is counted.
        await().untilAsserted(() -> {
            assertThat(branch("gone").limiter().snapshot().lost())
                    .isEqualTo(CALLS + branch("gone").retries().spentTotal());
            assertThat(branch("gone").limiter().inFlight()).isZero();
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"RestClient", "WebClient"})
    void whatAnOverloadedServiceRefusesIsNotRetried(String kind) {
        backend.does(exchange -> {
            exchange.getResponseHeaders().set("Retry-After", "1");
            Backend.answer(exchange, 503, "busy");
        });
        Client client = client(kind);
        assertThat(client.get("shop")).isEqualTo(503);
        assertThat(backend.requests()).isEqualTo(1);
        assertThat(branch("shop").retries().spentTotal()).isZero();
        int heldBack = 0;
        for (int i = 0; i < 20; i++) {
            heldBack += catchThrowable(() -> client.get("shop")) instanceof BranchLimitedException ? 1 : 0;
        }
        assertThat(heldBack).isPositive();
        assertThat(backend.requests()).isEqualTo(21 - heldBack);
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @Import(BalancedClients.class)
    static class App {}
}

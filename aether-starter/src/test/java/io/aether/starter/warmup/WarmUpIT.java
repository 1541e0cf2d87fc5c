// SPDX-License-Identifier: Apache-2.0
package io.aether.starter.warmup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.aether.core.pick.PickSettings;
import io.aether.starter.balancer.ServiceFleet;
import io.aether.starter.balancer.ServiceFleets;
import io.aether.starter.inflight.FailureKind;
import io.aether.starter.testing.Apps;
import io.aether.starter.testing.Backend;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.cloud.client.loadbalancer.LoadBalanced;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.client.RestClient;

/** An instance that dies and comes back, with real connections: who asks it first, and what users notice. */
class WarmUpIT {

    private static final int ROUNDS = 20;
    private static final Duration A_MINUTE = Duration.ofMinutes(1);
    private static final Duration EJECTION = PickSettings.defaults().firstEjection();

    @Test
    void anInstanceThatIsBackAnswersUsAloneFirst() {
        Backend stays = new Backend();
        Backend dies = new Backend();
        try (stays;
                ConfigurableApplicationContext app = start(stays, dies)) {
            RestClient client = app.getBean(RestClient.Builder.class).build();
            call(client);
            dies.close();
            meetTheClosedPort(app, client);

            List<String> methods = new CopyOnWriteArrayList<>();
            try (Backend back = new Backend(dies.port())) {
                back.does(exchange -> {
                    methods.add(exchange.getRequestMethod());
                    Backend.answer(exchange, 404, "");
                });
                await().atMost(A_MINUTE).until(() -> {
                    assertThat(call(client))
                            .as("requests that failed while it came back")
                            .isZero();
                    return methods.contains("GET");
                });
                assertThat(methods).startsWith("HEAD", "HEAD", "HEAD", "GET");
            }
            assertThat(app.getBean(WarmUp.class).answeredTotal()).isGreaterThanOrEqualTo(3);
        }
    }

    @Test
    void withoutWarmUpNobodyIsAskedBefore() {
        Backend stays = new Backend();
        Backend dies = new Backend();
        try (stays;
                ConfigurableApplicationContext app = start(stays, dies, "aether.warm-up.requests=0")) {
            RestClient client = app.getBean(RestClient.Builder.class).build();
            call(client);
            dies.close();
            meetTheClosedPort(app, client);
            List<String> methods = new CopyOnWriteArrayList<>();
            try (Backend back = new Backend(dies.port())) {
                back.does(exchange -> {
                    methods.add(exchange.getRequestMethod());
                    Backend.answer(exchange, 200, "ok");
                });
                await().atMost(A_MINUTE).until(() -> {
                    call(client);
                    return !methods.isEmpty();
                });
                assertThat(methods).containsOnly("GET");
            }
        }
    }

    private static ConfigurableApplicationContext start(Backend one, Backend two, String... properties) {
        return Apps.start(App.class, WebApplicationType.NONE, List.of(one, two), properties);
    }

    /**
     * The first request that meets it is the last, until the ejection is over. How soon that is depends on how slow its first
     * answer was.
     */
    private static void meetTheClosedPort(ConfigurableApplicationContext app, RestClient client) {
        ServiceFleet fleet = app.getBean(ServiceFleets.class).get(Apps.SERVICE);
        await().atMost(A_MINUTE).until(() -> {
            long begun = System.nanoTime();
            call(client);
            long failures = fleet.failures(FailureKind.CONNECT);
            // A machine that is held up takes longer for these calls than an ejection lasts.
            assertThat(failures).isLessThanOrEqualTo(1 + (System.nanoTime() - begun) / EJECTION.toNanos());
            return failures > 0;
        });
    }

    /** Makes requests, one after the other, and returns how many did not reach anybody. */
    private static int call(RestClient client) {
        int failures = 0;
        for (int i = 0; i < ROUNDS; i++) {
            try {
                client.get()
                        .uri("http://" + Apps.SERVICE + "/")
                        .exchange((request, response) -> response.getStatusCode());
            } catch (RuntimeException refused) {
                failures++;
            }
        }
        return failures;
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class App {
        @Bean
        @LoadBalanced
        RestClient.Builder restClient() {
            return RestClient.builder();
        }
    }
}

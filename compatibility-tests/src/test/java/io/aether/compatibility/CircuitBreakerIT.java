// SPDX-License-Identifier: Apache-2.0
package io.aether.compatibility;

import static org.assertj.core.api.Assertions.assertThat;

import io.aether.starter.testing.Apps;
import io.aether.starter.testing.Backend;
import io.aether.starter.testing.BalancedClients;
import io.github.resilience4j.circuitbreaker.CircuitBreakerRegistry;
import io.github.resilience4j.ratelimiter.RateLimiterRegistry;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.cloud.client.circuitbreaker.CircuitBreaker;
import org.springframework.cloud.client.circuitbreaker.CircuitBreakerFactory;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.web.client.RestClient;

/** Spring Cloud CircuitBreaker with Resilience4j around a balanced call. */
class CircuitBreakerIT {

    @Test
    void aBreakerAroundACallFallsBackAndOpens() {
        try (Backend shop = new Backend();
                ConfigurableApplicationContext app = Start.app(
                        App.class,
                        WebApplicationType.NONE,
                        List.of(shop),
                        "resilience4j.circuitbreaker.instances.shop.minimum-number-of-calls=5",
                        "resilience4j.circuitbreaker.instances.shop.sliding-window-size=5")) {
            RestClient client = app.getBean(RestClient.Builder.class).build();
            CircuitBreaker breaker = app.getBean(CircuitBreakerFactory.class).create(Apps.SERVICE);
            // The breaker gives a call a second; the first one of an application may take longer.
            assertThat(client.get().uri("http://shop/").retrieve().body(String.class))
                    .isEqualTo("ok");
            assertThat(call(breaker, client)).isEqualTo("ok");
            shop.fails(500);
            shop.forget();
            for (int i = 0; i < 10; i++) {
                assertThat(call(breaker, client)).isEqualTo("fallback");
            }
            assertThat(app.getBean(CircuitBreakerRegistry.class)
                            .circuitBreaker(Apps.SERVICE)
                            .getState()
                            .name())
                    .isEqualTo("OPEN");
            assertThat(shop.requests()).isLessThan(11);
            // One registry of limiters: Aether's are in the application's.
            assertThat(app.getBeansOfType(RateLimiterRegistry.class)).hasSize(1);
            assertThat(app.getBean(RateLimiterRegistry.class).getAllRateLimiters())
                    .extracting("name")
                    .contains("aether:shop:default");
        }
    }

    private static String call(CircuitBreaker breaker, RestClient client) {
        return breaker.run(() -> client.get().uri("http://shop/").retrieve().body(String.class), e -> "fallback");
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @Import(BalancedClients.class)
    static class App {}
}

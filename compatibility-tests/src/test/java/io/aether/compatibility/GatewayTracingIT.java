// SPDX-License-Identifier: Apache-2.0
package io.aether.compatibility;

import static org.assertj.core.api.Assertions.assertThat;

import io.aether.starter.testing.Apps;
import io.aether.starter.testing.Backend;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
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
import org.springframework.context.annotation.Import;

/** Spans of the gateway's own calls: one for each attempt. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class GatewayTracingIT {

    private final Backend good = new Backend();
    private final Backend bad = new Backend();
    private final HttpClient client = HttpClient.newHttpClient();
    private ConfigurableApplicationContext gateway;
    private Spans spans;

    @BeforeAll
    void start() {
        gateway = Start.app(
                App.class,
                WebApplicationType.REACTIVE,
                List.of(good, bad),
                "spring.cloud.gateway.server.webflux.enabled=true");
        spans = gateway.getBean(Spans.class);
    }

    @AfterAll
    void stop() {
        gateway.close();
        good.close();
        bad.close();
    }

    @BeforeEach
    void forget() {
        spans.forget();
    }

    @Test
    void aRetryIsASpanOfItsOwn() throws Exception {
        bad.fails(500);
        List<Map<String, String>> said = new ArrayList<>();
        while (said.stream().noneMatch(one -> "2".equals(one.get("attempt"))) && said.size() < 200) {
            spans.forget();
            assertThat(get("/retried")).isEqualTo(200);
            said.addAll(spans.calls(1).stream().map(Spans::said).toList());
        }
        assertThat(said)
                .anySatisfy(one -> assertThat(one)
                        .containsEntry("attempt", "1")
                        .containsEntry("limit", "passed")
                        .containsEntry("instance", "127.0.0.1:" + bad.port()))
                .anySatisfy(one -> assertThat(one)
                        .containsEntry("attempt", "2")
                        .containsEntry("instance", "127.0.0.1:" + good.port()));
    }

    private int get(String path) throws IOException, InterruptedException {
        String port = gateway.getEnvironment().getRequiredProperty("local.server.port");
        return client.send(
                        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                                .build(),
                        BodyHandlers.ofString())
                .statusCode();
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @Import(Spans.class)
    static class App {

        @Bean
        RouteLocator routes(RouteLocatorBuilder routes) {
            return routes.routes()
                    .route(
                            "retried",
                            route -> route.path("/retried")
                                    .filters(filters -> filters.retry(retry -> retry.setRetries(1)))
                                    .uri("lb://" + Apps.SERVICE))
                    .build();
        }
    }
}

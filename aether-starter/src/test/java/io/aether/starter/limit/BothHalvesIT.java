// SPDX-License-Identifier: Apache-2.0
package io.aether.starter.limit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.Headers;
import io.aether.starter.context.ContextHeaders;
import io.aether.starter.testing.Apps;
import io.aether.starter.testing.Backend;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.cloud.client.loadbalancer.LoadBalanced;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.client.RestClient;
import org.springframework.web.reactive.function.client.WebClient;
import reactor.core.publisher.Mono;

/** One server between a caller and a service, both halves of backpressure at work, without a line of code for it. */
class BothHalvesIT {

    private final Backend shop = new Backend();
    private final Backend extra = new Backend();
    private final HttpClient http = HttpClient.newHttpClient();

    @ParameterizedTest
    @CsvSource({"SERVLET, blocking", "SERVLET, reactive", "REACTIVE, reactive"})
    void contextGoesDownAndPressureComesUp(WebApplicationType type, String path) throws Exception {
        try (ConfigurableApplicationContext app = Apps.start(
                App.class,
                type,
                List.of(shop),
                "spring.cloud.discovery.client.simple.instances.extra[0].uri=" + extra.uri(),
                "aether.services.extra.optional=true",
                "aether.limit.grace=0s")) {
            String port = app.getEnvironment().getRequiredProperty("local.server.port");
            AtomicReference<Headers> seen = new AtomicReference<>();
            shop.does(exchange -> {
                seen.set(exchange.getRequestHeaders());
                exchange.getResponseHeaders().set(ContextHeaders.PRESSURE, "90");
                Backend.answer(exchange, 200, "ok");
            });
            extra.does(exchange -> {
                exchange.getResponseHeaders().set(ContextHeaders.PRESSURE, "200");
                Backend.answer(exchange, 200, "ok");
            });
            HttpResponse<String> answer = get(port, path);
            assertThat(answer.body()).isEqualTo("okok");
            assertThat(seen.get().getFirst(ContextHeaders.PRIORITY)).isEqualTo("degraded");
            assertThat(Long.parseLong(seen.get().getFirst(ContextHeaders.DEADLINE)))
                    .isBetween(1L, 9_999L);
            assertThat(seen.get().getFirst(ContextHeaders.USER)).isEqualTo("4711");
            assertThat(answer.headers().firstValue(ContextHeaders.PRESSURE)).hasValue("90");
            // Of Spring's blocking clients in a servlet application, of WebClient in a reactive one.
            boolean passedOn = path.equals(type == WebApplicationType.SERVLET ? "blocking" : "reactive");
            overload(port, path, app.getBean(BranchLimits.class), passedOn);
        } finally {
            shop.close();
            extra.close();
        }
    }

    /** The service refuses; what the server cannot send it refuses in turn, so that its own callers slow down too. */
    private void overload(String port, String path, BranchLimits limits, boolean passedOn) throws Exception {
        shop.does(exchange -> {
            exchange.getResponseHeaders().set("Retry-After", "1");
            Backend.answer(exchange, 503, "busy");
        });
        shop.forget();
        int unavailable = 0;
        for (int i = 0; i < 20; i++) {
            HttpResponse<String> answer = get(port, path);
            boolean later = answer.statusCode() == 503
                    && answer.headers().firstValue("Retry-After").isPresent();
            unavailable += later ? 1 : 0;
        }
        int heldBack = 20 - shop.requests();
        assertThat(heldBack).isPositive();
        assertThat(unavailable).isEqualTo(passedOn ? 20 : heldBack);
        await().untilAsserted(() -> assertThat(limits.all())
                .allSatisfy(branch -> assertThat(branch.limiter().inFlight()).isZero()));
    }

    private HttpResponse<String> get(String port, String path) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/" + path))
                .header(ContextHeaders.PRIORITY, "degraded")
                .header(ContextHeaders.DEADLINE, "10000")
                .header(ContextHeaders.USER, "4711")
                .build();
        return http.send(request, BodyHandlers.ofString());
    }

    @RestController
    static class Pages {

        private final RestClient restClient;
        private final WebClient webClient;

        Pages(RestClient.Builder restClient, WebClient.Builder webClient) {
            this.restClient = restClient.build();
            this.webClient = webClient.build();
        }

        @GetMapping("/blocking")
        String blocking() {
            return restClient.get().uri("http://shop/").retrieve().body(String.class)
                    + restClient.get().uri("http://extra/").retrieve().body(String.class);
        }

        @GetMapping("/reactive")
        Mono<String> reactive() {
            return call("shop").zipWith(call("extra"), String::concat);
        }

        private Mono<String> call(String service) {
            return webClient.get().uri("http://" + service + "/").retrieve().bodyToMono(String.class);
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @Import(Pages.class)
    static class App {

        @Bean
        @LoadBalanced
        RestClient.Builder restClientBuilder() {
            return RestClient.builder();
        }

        @Bean
        @LoadBalanced
        WebClient.Builder webClientBuilder() {
            return WebClient.builder();
        }
    }
}

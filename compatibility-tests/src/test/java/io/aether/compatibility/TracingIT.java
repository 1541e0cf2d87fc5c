// SPDX-License-Identifier: Apache-2.0
package io.aether.compatibility;

import static org.assertj.core.api.Assertions.assertThat;

import io.aether.starter.testing.Apps;
import io.aether.starter.testing.Backend;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.micrometer.observation.ObservationRegistry;
import io.opentelemetry.sdk.trace.data.SpanData;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.cloud.client.loadbalancer.LoadBalanced;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.http.HttpEntity;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.client.RestClient;
import org.springframework.web.client.RestTemplate;
import org.springframework.web.reactive.function.client.WebClient;
import org.springframework.web.service.annotation.GetExchange;
import org.springframework.web.service.registry.ImportHttpServices;

/** Spans of each kind of client, made by Micrometer Tracing with OpenTelemetry, tell where the call went and why. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class TracingIT {

    private static final String URL = "http://" + Apps.SERVICE + "/";
    private static final String DEADLINE = "X-Aether-Deadline";
    private static final String ENOUGH = "60000";

    private final Backend shop = new Backend();
    private final AtomicReference<String> traceparent = new AtomicReference<>();
    private ConfigurableApplicationContext app;
    private Spans spans;

    @BeforeAll
    void start() {
        app = Start.app(App.class, WebApplicationType.NONE, List.of(shop));
        spans = app.getBean(Spans.class);
    }

    @AfterAll
    void stop() {
        app.close();
        shop.close();
    }

    @BeforeEach
    void healthy() {
        spans.forget();
        shop.does(exchange -> {
            traceparent.set(exchange.getRequestHeaders().getFirst("traceparent"));
            Backend.answer(exchange, 200, "ok");
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"WebClient", "RestClient", "RestTemplate", "HTTP interface"})
    void aSpanTellsWhereACallWentAndWhy(String kind) {
        call(kind, ENOUGH);
        SpanData span = spans.calls(1).get(0);
        assertThat(Spans.said(span))
                .containsEntry("instance", "127.0.0.1:" + shop.port())
                .containsEntry("attempt", "1")
                .containsEntry("limit", "passed")
                .containsKey("class");
        assertThat(traceparent.get()).as("of the same trace").contains(span.getTraceId(), span.getSpanId());
    }

    @ParameterizedTest
    @ValueSource(strings = {"WebClient", "RestClient", "RestTemplate", "HTTP interface"})
    void aSpanTellsThatACallWasNotSent(String kind) {
        try {
            call(kind, "0");
        } catch (RuntimeException late) {
            assertThat(late).hasStackTraceContaining("504"); // Perhaps inside of a breaker's error.
        }
        assertThat(Spans.said(spans.calls(1).get(0)))
                .isEqualTo(Map.of("attempt", "1", "class", "none", "limit", "late"));
    }

    @Test
    void callsThatAreNotBalancedSaySo() {
        RestClient plain = RestClient.builder()
                .observationRegistry(app.getBean(ObservationRegistry.class))
                .build();
        plain.get().uri(shop.uri()).retrieve().toBodilessEntity();
        assertThat(Spans.said(spans.calls(1).get(0)))
                .isEqualTo(Map.of("attempt", "none", "class", "none", "limit", "none"));
    }

    @Test
    void timersHaveTheSameTagsForAllCallsAndNoInstance() {
        call("WebClient", ENOUGH);
        spans.calls(1);
        spans.forget();
        callsThatAreNotBalancedSaySo();
        assertThat(app.getBean(MeterRegistry.class).get("http.client.requests").timers())
                .hasSizeGreaterThan(1)
                .extracting(Timer::getId)
                .allSatisfy(id -> assertThat(id.getTags())
                        .extracting("key")
                        .contains("aether.attempt", "aether.class", "aether.limit")
                        .doesNotContain("aether.instance"));
    }

    private void call(String kind, String deadline) {
        switch (kind) {
            case "WebClient" ->
                app.getBean(WebClient.Builder.class)
                        .build()
                        .get()
                        .uri(URL)
                        .header(DEADLINE, deadline)
                        .retrieve()
                        .toBodilessEntity()
                        .block();
            case "RestClient" ->
                app.getBean(RestClient.Builder.class)
                        .build()
                        .get()
                        .uri(URL)
                        .header(DEADLINE, deadline)
                        .retrieve()
                        .toBodilessEntity();
            case "RestTemplate" -> {
                HttpHeaders headers = new HttpHeaders();
                headers.set(DEADLINE, deadline);
                app.getBean(RestTemplate.class).exchange(URL, HttpMethod.GET, new HttpEntity<>(headers), String.class);
            }
            default -> app.getBean(Shop.class).get(deadline);
        }
    }

    /** Named like the service: Spring gives such a group a load-balanced client. */
    interface Shop {
        @GetExchange("/")
        String get(@RequestHeader(DEADLINE) String deadline);
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @Import(Spans.class)
    @ImportHttpServices(group = Apps.SERVICE, types = Shop.class)
    static class App {

        @Bean
        @LoadBalanced
        WebClient.Builder webClientBuilder(ObservationRegistry observations) {
            return WebClient.builder().observationRegistry(observations);
        }

        @Bean
        @LoadBalanced
        RestClient.Builder restClientBuilder(ObservationRegistry observations) {
            return RestClient.builder().observationRegistry(observations);
        }

        @Bean
        @LoadBalanced
        RestTemplate restTemplate(ObservationRegistry observations) {
            RestTemplate template = new RestTemplate();
            template.setObservationRegistry(observations);
            return template;
        }
    }
}

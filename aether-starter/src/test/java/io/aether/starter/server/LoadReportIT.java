// SPDX-License-Identifier: Apache-2.0
package io.aether.starter.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.aether.core.pick.InstanceSnapshot;
import io.aether.core.pick.InstanceSnapshot.SignalValue;
import io.aether.core.score.LoadReport;
import io.aether.core.score.LoadWord;
import io.aether.starter.balancer.ServiceFleets;
import io.aether.starter.inflight.Flights;
import io.aether.starter.testing.Apps;
import io.aether.starter.testing.Backend;
import io.aether.starter.testing.BalancedClients;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.client.RestClient;
import org.springframework.web.reactive.function.client.WebClient;

/** Servers that tell of their load, and clients that hear of it, over HTTP. */
class LoadReportIT {

    private static Optional<String> header(ConfigurableApplicationContext app) throws Exception {
        int port = app.getEnvironment().getRequiredProperty("local.server.port", int.class);
        return header(port, LoadReport.HEADER);
    }

    private static Optional<String> header(int port, String name) throws Exception {
        return HttpClient.newHttpClient()
                .send(
                        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/work"))
                                .build(),
                        HttpResponse.BodyHandlers.ofString())
                .headers()
                .firstValue(name);
    }

    @ParameterizedTest
    @EnumSource(
            value = WebApplicationType.class,
            names = {"SERVLET", "REACTIVE"})
    void answersTellOfTheServersLoadWhereTheyShould(WebApplicationType type) throws Exception {
        try (ConfigurableApplicationContext app =
                Apps.start(App.class, type, List.of(), "aether.server.load-report=true")) {
            await().until(() -> header(app).isPresent());
            String told = header(app).orElseThrow();
            assertThat(told)
                    .startsWith("TEXT cpu_utilization=0.")
                    .contains("rps_fractional=", "eps=0.0", "named_metrics.in_flight=", "named_metrics.latency_ms=");
            assertThat(LoadReport.parse(told)).isNotNull();
        }
        try (ConfigurableApplicationContext app = Apps.start(App.class, type, List.of())) {
            assertThat(header(app)).isEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = WebApplicationType.class,
            names = {"SERVLET", "REACTIVE"})
    void answersTellAethersClientsWhereTheyShould(WebApplicationType type) throws Exception {
        try (ConfigurableApplicationContext app = Apps.start(App.class, type, List.of())) {
            assertThat(word(app)).hasValueSatisfying(told -> assertThat(told).matches("0 [1-9][0-9]*"));
            await().untilAsserted(() -> assertThat(
                            LoadWord.nanos(LoadWord.read(word(app).orElseThrow())))
                    .isBetween(1e3, 60e9));
        }
        try (ConfigurableApplicationContext app =
                Apps.start(App.class, type, List.of(), "aether.server.tell-load=false")) {
            assertThat(word(app)).isEmpty();
        }
        try (ConfigurableApplicationContext app =
                Apps.start(App.class, type, List.of(), "aether.server.trust-headers=false")) {
            assertThat(word(app)).isEmpty();
        }
    }

    private static Optional<String> word(ConfigurableApplicationContext app) throws Exception {
        return header(app.getEnvironment().getRequiredProperty("local.server.port", int.class), LoadWord.HEADER);
    }

    @ParameterizedTest
    @ValueSource(strings = {"RestClient", "WebClient"})
    void requestsInFlightAreHeardAndGarbageIsCounted(String kind) {
        try (Backend busy = new Backend();
                Backend odd = new Backend();
                ConfigurableApplicationContext app =
                        Apps.start(App.class, WebApplicationType.NONE, List.of(busy, odd))) {
            says(busy, LoadWord.HEADER, "2 1500");
            says(odd, LoadWord.HEADER, "-1 many");
            for (int i = 0; i < 40; i++) {
                call(app, kind);
            }
            assertThat(odd.requests()).isPositive();
            assertThat(signal(app, busy, "reported_in_flight")).hasValue(2.0);
            assertThat(signal(app, busy, "reported_latency_ms"))
                    .hasValueSatisfying(told -> assertThat(told).isBetween(1.49, 1.51));
            assertThat(signal(app, odd, "reported_in_flight")).isEmpty();
            assertThat(app.getBean(Flights.class).unreadableReportsTotal()).isEqualTo(odd.requests());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"RestClient", "WebClient"})
    void aWordOfLoadIsHeardAndGarbageIsCounted(String kind) {
        try (Backend busy = new Backend();
                Backend odd = new Backend();
                ConfigurableApplicationContext app =
                        Apps.start(App.class, WebApplicationType.NONE, List.of(busy, odd))) {
            tells(busy, "TEXT cpu_utilization=0.95,named_metrics.x=1");
            tells(odd, "TEXT cpu_utilization=a lot");
            for (int i = 0; i < 40; i++) {
                call(app, kind);
            }
            assertThat(odd.requests()).isPositive();
            assertThat(utilization(app, busy))
                    .hasValueSatisfying(told -> assertThat(told).isBetween(0.94, 0.96));
            assertThat(utilization(app, odd)).isEmpty();
            assertThat(app.getBean(Flights.class).unreadableReportsTotal()).isEqualTo(odd.requests());
        }
    }

    private static void tells(Backend backend, String load) {
        says(backend, LoadReport.HEADER, load);
    }

    private static void says(Backend backend, String header, String value) {
        backend.does(exchange -> {
            exchange.getResponseHeaders().set(header, value);
            Backend.answer(exchange, 200, "ok");
        });
    }

    private static void call(ConfigurableApplicationContext app, String kind) {
        String answer = kind.equals("RestClient")
                ? app.getBean(RestClient.Builder.class)
                        .build()
                        .get()
                        .uri("http://shop/")
                        .retrieve()
                        .body(String.class)
                : app.getBean(WebClient.Builder.class)
                        .build()
                        .get()
                        .uri("http://shop/")
                        .retrieve()
                        .bodyToMono(String.class)
                        .block();
        assertThat(answer).isEqualTo("ok");
    }

    private static Optional<Double> utilization(ConfigurableApplicationContext app, Backend backend) {
        return signal(app, backend, "reported_utilization");
    }

    private static Optional<Double> signal(ConfigurableApplicationContext app, Backend backend, String name) {
        for (InstanceSnapshot snapshot :
                app.getBean(ServiceFleets.class).get("shop").snapshot()) {
            if (snapshot.key().port() == backend.port()) {
                return snapshot.signals().stream()
                        .filter(signal -> signal.name().equals(name))
                        .map(SignalValue::value)
                        .findAny();
            }
        }
        return Optional.empty();
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @Import({BalancedClients.class, Work.class})
    static class App {}

    @RestController
    static class Work {
        /** Passes on what its own branch said of itself, as a proxy would. */
        @GetMapping("/work")
        ResponseEntity<String> work() {
            return ResponseEntity.ok().header(LoadWord.HEADER, "999 1").body("done");
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.aether.starter.inflight.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import io.aether.starter.testing.Apps;
import io.aether.starter.testing.Backend;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.boot.WebApplicationType;
import org.springframework.context.ConfigurableApplicationContext;

/** The header in which answers of a gateway tell where they come from, for who asked for it. */
class DecisionHeaderIT {

    private final Backend good = new Backend();
    private final Backend bad = new Backend();

    @AfterEach
    void stop() {
        good.close();
        bad.close();
    }

    @Test
    void tellsTheInstanceAndHowItStands() throws Exception {
        good.does(exchange -> Backend.answer(exchange, 200, "ok"));
        bad.fails(500);
        List<String> told = new ArrayList<>();
        try (ConfigurableApplicationContext gateway = gateway("aether.decisions.header=true")) {
            for (int i = 0; i < 30; i++) {
                HttpResponse<String> answer = get(gateway);
                String header =
                        answer.headers().firstValue(FlightFilter.DECISION).orElseThrow();
                String from = answer.statusCode() == 200 ? place(good) : place(bad);
                assertThat(header).startsWith(from + ";class=").endsWith(";instances=2");
                told.add(header);
            }
        }
        assertThat(told).anyMatch(header -> header.startsWith(place(good)) && header.contains(";in-flight=1;"));
        assertThat(told.get(told.size() - 1)).startsWith(place(good));
    }

    @Test
    void isNotThereUnlessAskedFor() throws Exception {
        good.does(exchange -> Backend.answer(exchange, 200, "ok"));
        bad.does(exchange -> Backend.answer(exchange, 200, "ok"));
        try (ConfigurableApplicationContext gateway = gateway()) {
            assertThat(get(gateway).headers().firstValue(FlightFilter.DECISION)).isEmpty();
        }
    }

    private ConfigurableApplicationContext gateway(String... properties) {
        List<String> all = new ArrayList<>(List.of("spring.cloud.gateway.server.webflux.enabled=true"));
        all.addAll(List.of(properties));
        return Apps.start(
                GatewayIT.App.class, WebApplicationType.REACTIVE, List.of(good, bad), all.toArray(String[]::new));
    }

    private static HttpResponse<String> get(ConfigurableApplicationContext gateway) throws Exception {
        int port = gateway.getEnvironment().getRequiredProperty("local.server.port", int.class);
        return HttpClient.newHttpClient()
                .send(
                        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/plain"))
                                .build(),
                        BodyHandlers.ofString());
    }

    private static String place(Backend backend) {
        URI uri = URI.create(backend.uri());
        return uri.getHost() + ":" + uri.getPort();
    }
}

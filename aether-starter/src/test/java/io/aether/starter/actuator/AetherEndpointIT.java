// SPDX-License-Identifier: Apache-2.0
package io.aether.starter.actuator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.jayway.jsonpath.DocumentContext;
import com.jayway.jsonpath.JsonPath;
import io.aether.core.table.EndpointHealth;
import io.aether.core.table.NetworkNamespace;
import io.aether.core.table.TableFile;
import io.aether.core.table.TableLayout;
import io.aether.starter.testing.Apps;
import io.aether.starter.testing.Backend;
import io.micrometer.core.instrument.MeterRegistry;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.cloud.client.loadbalancer.LoadBalanced;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.client.RestClient;

/** A servlet application through the life of its health table, watched and switched through its actuator. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class AetherEndpointIT {

    private final List<Backend> backends = List.of(new Backend(), new Backend(), new Backend());
    private final HttpClient http = HttpClient.newHttpClient();
    private ConfigurableApplicationContext app;
    private RestClient client;
    private URI endpoint;
    private Path file;

    @BeforeAll
    void start(@TempDir Path directory) {
        file = directory.resolve("health");
        app = Apps.start(
                App.class,
                WebApplicationType.SERVLET,
                backends,
                "aether.table.path=" + file,
                "aether.table.refresh=20ms",
                "management.endpoints.web.exposure.include=aether,metrics");
        client = app.getBean(RestClient.Builder.class).build();
        int port = app.getEnvironment().getRequiredProperty("local.server.port", int.class);
        endpoint = URI.create("http://127.0.0.1:" + port + "/actuator/aether");
    }

    @AfterAll
    void stop() {
        app.close();
        backends.forEach(Backend::close);
    }

    @BeforeEach
    void forget() {
        backends.forEach(Backend::forget);
    }

    @Test
    @Order(1)
    void withoutATableTrafficFlowsAndTheReasonIsSaid() throws Exception {
        call(30);
        DocumentContext report = report();
        assertThat(report.<String>read("$.mode")).isEqualTo("on");
        assertThat(report.<String>read("$.signals")).isEqualTo("kernel");
        assertThat(report.<String>read("$.table.state")).isEqualTo("absent");
        assertThat(report.<String>read("$.table.reason")).contains(file.toString());
        assertThat(report.<List<?>>read("$.services.shop.instances")).hasSize(3);
        assertThat(report.<String>read("$.services.shop.decisions[0].reason")).isNotBlank();
        assertThat(report.<String>read("$.services.shop.decisions[0].roundRobin"))
                .matches("127.0.0.1:\\d+");
        assertThat(report.<List<?>>read("$.services.shop.decisions[0].candidates[*].signals.standstill_ms.value"))
                .isNotEmpty();
        assertThat(report.<String>read("$.hedges.mode")).isEqualTo("off");
        assertThat(report.<List<Integer>>read("$.services.shop.instances[*].inFlight"))
                .containsOnly(0);
    }

    @Test
    @Order(2)
    void aStalledFlagInTheTableMovesTraffic() throws Exception {
        TableFile table = TableFile.create(file, 64, System.nanoTime());
        EndpointHealth stalled = new EndpointHealth();
        stalled.flags = TableLayout.FLAG_STALLED;
        stalled.reportTimeNanos = System.nanoTime();
        stalled.stalledSinceNanos = stalled.reportTimeNanos - 20_000_000;
        stalled.stallAgeMicros = 20_000;
        stalled.source = TableLayout.FROM_NODE;
        long netns = NetworkNamespace.inodeOfSelf();
        await().until(() -> {
            table.heartbeat(System.nanoTime());
            return report().<String>read("$.table.state").equals("live");
        });
        Backend victim = backends.get(1);
        for (int i = 0; i < 60; i++) {
            stalled.reportTimeNanos = System.nanoTime();
            table.heartbeat(stalled.reportTimeNanos);
            table.put(netns, TableFile.address("127.0.0.1", victim.port()), TableLayout.KIND_PEER, stalled);
            call(1);
        }
        assertThat(victim.requests()).isZero();
        assertThat(classOf(victim)).isEqualTo("degraded");
        post("{\"signals\":\"application\"}", 200);
        // Whether it gets requests at once depends on how slow the first one of all, which met a cold client, was.
        assertThat(classOf(victim)).isNotEqualTo("degraded");
        post("{\"signals\":\"kernel\"}", 200);
    }

    private String classOf(Backend backend) throws Exception {
        return report().<List<String>>read("$.services.shop.instances[?(@.port == " + backend.port() + ")].class")
                .get(0);
    }

    @Test
    @Order(3)
    void whenTheAgentDiesTrafficGoesOn() throws Exception {
        await().until(() -> report().<String>read("$.table.state").equals("stale"));
        call(30);
        assertThat(backends.stream().mapToInt(Backend::requests).sum()).isEqualTo(30);
    }

    @Test
    @Order(4)
    void aCorruptTableIsNamedAndTrafficGoesOn() throws Exception {
        Path garbage = file.resolveSibling("garbage");
        Files.write(garbage, new byte[100]);
        Files.move(garbage, file, StandardCopyOption.REPLACE_EXISTING);
        await().until(() -> report().<String>read("$.table.state").equals("corrupt"));
        assertThat(report().<String>read("$.table.reason")).contains(file.toString());
        call(30);
        assertThat(backends.stream().mapToInt(Backend::requests).sum()).isEqualTo(30);
    }

    @Test
    @Order(5)
    void modesSwitchAtRunTime() throws Exception {
        post("{\"mode\":\"off\"}", 200);
        call(30);
        // Round robin, to the request.
        assertThat(backends).extracting(Backend::requests).containsOnly(10);
        post("{\"mode\":\"observe\",\"service\":\"shop\"}", 200);
        call(30);
        assertThat(backends).extracting(Backend::requests).containsOnly(20);
        DocumentContext report = report();
        assertThat(report.<String>read("$.mode")).isEqualTo("off");
        assertThat(report.<String>read("$.services.shop.mode")).isEqualTo("observe");
        post("{\"mode\":\"on\",\"service\":\"shop\"}", 200);
        post("{\"hedge\":\"on\"}", 200);
        assertThat(report().<String>read("$.hedges.mode")).isEqualTo("on");
        call(1);
        assertThat(report().<Integer>read("$.hedges.services.shop.groups.default.calls"))
                .isOne();
        post("{\"hedge\":\"off\"}", 200);
        assertThat(report().<String>read("$.services.shop.mode")).isEqualTo("on");
    }

    @Test
    @Order(6)
    void wrongValuesAreNamedWithWhatIsAllowed() throws Exception {
        assertThat(post("{\"mode\":\"sideways\"}", 400)).contains("sideways", "off, observe, on");
        assertThat(post("{\"signals\":\"stars\"}", 400)).contains("stars", "application, kernel");
        assertThat(post("{\"mode\":\"on\",\"service\":\"nowhere\"}", 400)).contains("nowhere", "shop");
        assertThat(post("{\"hedge\":\"perhaps\"}", 400)).contains("perhaps", "hedge");
        assertThat(post("{}", 400)).contains("mode");
    }

    @Test
    @Order(7)
    void metersTellTheSame() {
        MeterRegistry registry = app.getBean(MeterRegistry.class);
        call(10);
        assertThat(registry.get("aether.picks")
                        .tags("service", "shop", "mode", "on", "class", "cold")
                        .functionCounter()
                        .count())
                .isGreaterThan(10);
        assertThat(registry.get("aether.inflight")
                        .tag("service", "shop")
                        .gauge()
                        .value())
                .isZero();
        assertThat(registry.get("aether.table.state")
                        .tag("state", "corrupt")
                        .gauge()
                        .value())
                .isOne();
        assertThat(registry.get("aether.inflight.leaked").functionCounter().count())
                .isZero();
        await().untilAsserted(() -> assertThat(registry.get("aether.instance.requests")
                        .tag("service", "shop")
                        .functionCounters())
                .hasSize(3));
    }

    private void call(int times) {
        for (int i = 0; i < times; i++) {
            client.get().uri("http://" + Apps.SERVICE + "/").retrieve().body(String.class);
        }
    }

    private DocumentContext report() throws IOException, InterruptedException {
        HttpResponse<String> response =
                http.send(HttpRequest.newBuilder(endpoint).build(), BodyHandlers.ofString());
        assertThat(response.statusCode()).isEqualTo(200);
        return JsonPath.parse(response.body());
    }

    private String post(String body, int status) throws IOException, InterruptedException {
        HttpResponse<String> response = http.send(
                HttpRequest.newBuilder(endpoint)
                        .header("Content-Type", "application/json")
                        .POST(BodyPublishers.ofString(body))
                        .build(),
                BodyHandlers.ofString());
        assertThat(response.statusCode()).as(response.body()).isEqualTo(status);
        return response.body();
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class App {

        @Bean
        @LoadBalanced
        RestClient.Builder restClientBuilder() {
            return RestClient.builder();
        }
    }
}

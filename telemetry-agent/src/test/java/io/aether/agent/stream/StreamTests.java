// SPDX-License-Identifier: Apache-2.0
package io.aether.agent.stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.jayway.jsonpath.JsonPath;
import io.aether.agent.AgentApplication;
import io.aether.agent.bpf.Edge;
import io.aether.core.table.EndpointAddress;
import io.aether.core.table.TableLayout;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;

/** The stream over real HTTP, with edges made by hand. */
@Timeout(60)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class StreamTests {
    private static final int HISTORY = 64;

    private ConfigurableApplicationContext agent;
    private EdgeStream stream;
    private int port;

    @BeforeAll
    void start(@TempDir Path directory) {
        agent = SpringApplication.run(
                AgentApplication.class,
                "--server.port=0",
                "--aether.agent.table-path=" + directory.resolve("health"),
                "--aether.agent.probes.flow.enabled=false",
                "--aether.agent.probes.queue.enabled=false",
                "--aether.agent.probes.sched.enabled=false",
                "--aether.agent.probes.health.enabled=false",
                "--aether.agent.probes.http.enabled=false",
                "--aether.agent.probes.tls.enabled=false",
                "--aether.agent.probes.ecn.enabled=false",
                "--aether.agent.stream.max-subscribers=2",
                "--aether.agent.stream.history=" + HISTORY,
                "--aether.agent.stream.heartbeat=100ms");
        stream = agent.getBean(EdgeStream.class);
        port = agent.getEnvironment().getRequiredProperty("local.server.port", Integer.class);
    }

    @AfterAll
    void stop() {
        agent.close();
    }

    /** One that left is noticed by the next heartbeat. */
    @BeforeEach
    void awaitNobody() {
        await().until(() -> stream.subscribers() == 0);
    }

    private Subscriber subscribe(String... headers) throws IOException {
        return new Subscriber(port, String.join("\r\n", headers) + (headers.length == 0 ? "" : "\r\n"));
    }

    private static Edge peer(int before, int after) {
        return edge("10.0.0.7", TableLayout.KIND_PEER, before, after);
    }

    private static Edge edge(String address, int kind, int before, int after) {
        return new Edge(
                System.nanoTime(),
                4026531840L,
                Objects.requireNonNull(EndpointAddress.parse(address, 8080)),
                kind,
                before,
                after,
                TableLayout.FROM_NODE,
                52_000,
                400,
                10_100,
                900,
                3);
    }

    private void publish(int count) {
        IntStream.range(0, count).forEach(i -> stream.changed(List.of(peer(0, TableLayout.FLAG_CONGESTED)), 0));
    }

    @Test
    void tellsEveryChangeOfAFlag() throws Exception {
        int all = TableLayout.FLAG_STALLED | TableLayout.FLAG_GONE;
        try (Subscriber subscriber = subscribe()) {
            assertThat(subscriber.next().data()).isEqualTo("{\"resumed\":false}");
            stream.changed(List.of(peer(0, TableLayout.FLAG_CONGESTED), edge("::", TableLayout.KIND_LOCAL, 2, 4)), 0);
            stream.changed(List.of(peer(all, 0)), 0);

            Subscriber.Event congested = subscriber.next();
            assertThat(congested.name()).isEqualTo("congested");
            assertThat(JsonPath.<Object>read(congested.data(), "$.endpoint.kind"))
                    .isEqualTo("peer");
            assertThat(JsonPath.<Object>read(congested.data(), "$.endpoint.address"))
                    .isEqualTo("10.0.0.7");
            assertThat(JsonPath.<Object>read(congested.data(), "$.endpoint.port"))
                    .isEqualTo(8080);
            assertThat(JsonPath.<Object>read(congested.data(), "$.values.rttMicros"))
                    .isEqualTo(52_000);
            assertThat(JsonPath.<Object>read(congested.data(), "$.time"))
                    .asString()
                    .endsWith("Z");
            Subscriber.Event read = subscriber.next();
            assertThat(read.name()).isEqualTo("cleared");
            assertThat(JsonPath.<Object>read(read.data(), "$.condition")).isEqualTo("stalled");
            assertThat(JsonPath.<Object>read(read.data(), "$.endpoint.address")).isEqualTo("*");
            assertThat(JsonPath.<Object>read(read.data(), "$.values.unread")).isEqualTo(3);
            assertThat(subscriber.next().name()).isEqualTo("gone");
            assertThat(JsonPath.<Object>read(subscriber.next().data(), "$.condition"))
                    .isEqualTo("stalled");
            assertThat(JsonPath.<Object>read(subscriber.next().data(), "$.condition"))
                    .isEqualTo("gone");
        }
    }

    @Test
    void goesOnAfterTheLastEventThatWasSeen() throws Exception {
        String seen;
        try (Subscriber first = subscribe()) {
            first.next();
            publish(1);
            seen = first.next().id();
        }
        publish(2);
        try (Subscriber second = subscribe("Last-Event-ID: " + seen)) {
            assertThat(second.next().data()).isEqualTo("{\"resumed\":true}");
            assertThat(second.next().id()).isEqualTo(next(seen));
        }
    }

    private static String next(String id) {
        int dash = id.indexOf('-');
        return id.substring(0, dash + 1) + (Long.parseLong(id.substring(dash + 1)) + 1);
    }

    @Test
    void beginsAnewAfterAnIdOfAnotherRun() throws Exception {
        for (String id : List.of("x-1", "nonsense", "-", "-1", "1")) {
            try (Subscriber subscriber = subscribe("Last-Event-ID: " + id)) {
                assertThat(subscriber.next().data()).as(id).isEqualTo("{\"resumed\":false}");
            }
            awaitNobody();
        }
    }

    @Test
    void tellsASlowSubscriberWhatItMissedAndHoldsUpNobody() throws Exception {
        int events = 40_000;
        try (Subscriber slow = subscribe()) {
            slow.next();
            long before = stream.totals().subscriberLosses();
            publish(events);
            long received = 0;
            long lost = 0;
            while (received + lost < events) {
                Subscriber.Event event = slow.next();
                if (event.name().equals("lost")) {
                    assertThat(JsonPath.<Object>read(event.data(), "$.where")).isEqualTo("subscriber");
                    lost += JsonPath.<Integer>read(event.data(), "$.count");
                } else {
                    received++;
                }
            }
            assertThat(lost).isPositive();
            assertThat(stream.totals().subscriberLosses() - before).isEqualTo(lost);
        }
    }

    @Test
    void tellsWhatWasLostBeforeTheStream() throws Exception {
        try (Subscriber subscriber = subscribe()) {
            subscriber.next();
            stream.changed(List.of(), stream.totals().pumpLosses() + 7);

            assertThat(subscriber.next().data()).isEqualTo("{\"count\":7,\"where\":\"agent\"}");
        }
    }

    @Test
    void refusesOneTooMany() throws Exception {
        try (Subscriber first = subscribe();
                Subscriber second = subscribe()) {
            first.next();
            second.next();
            long before = stream.totals().refusals();
            try (Subscriber third = new Subscriber(port, "")) {
                assertThat(third.status()).contains("503");
                assertThat(third.line()).contains("aether.agent.stream.max-subscribers");
            }
            assertThat(stream.totals().refusals()).isEqualTo(before + 1);
        }
    }

    @Test
    void countsItself() throws Exception {
        try (Subscriber subscriber = subscribe()) {
            subscriber.next();
            HttpRequest request = HttpRequest.newBuilder(
                            URI.create("http://127.0.0.1:" + port + "/actuator/prometheus"))
                    .build();
            assertThat(HttpClient.newHttpClient()
                            .send(request, HttpResponse.BodyHandlers.ofString())
                            .body())
                    .contains("aether_ebpf_stream_subscribers 1.0", "aether_ebpf_stream_pump_losses_total");
        }
    }

    @Test
    void sendsACommentInSilence() throws Exception {
        try (Subscriber subscriber = subscribe()) {
            subscriber.next();
            assertThat(subscriber.line()).isEmpty();
            assertThat(subscriber.line()).isEqualTo(": alive");
        }
    }

    @Test
    void namesAWrongValue() {
        assertThatThrownBy(() -> SpringApplication.run(
                                AgentApplication.class, "--server.port=0", "--aether.agent.stream.heartbeat=1ms")
                        .close())
                .rootCause()
                .hasMessageContaining("aether.agent.stream.heartbeat must be between 100ms and 1m");
    }
}

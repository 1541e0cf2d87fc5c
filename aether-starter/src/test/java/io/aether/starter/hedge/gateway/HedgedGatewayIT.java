// SPDX-License-Identifier: Apache-2.0
package io.aether.starter.hedge.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.aether.core.hedge.HedgerSnapshot;
import io.aether.starter.balancer.ServiceFleet;
import io.aether.starter.balancer.ServiceFleets;
import io.aether.starter.hedge.Hedges;
import io.aether.starter.limit.BranchLimits;
import io.aether.starter.testing.Apps;
import io.aether.starter.testing.Backend;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.cloud.gateway.route.RouteLocator;
import org.springframework.cloud.gateway.route.builder.RouteLocatorBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Hedged routes of a real gateway to two real servers, of which one now and then takes three seconds. */
class HedgedGatewayIT {

    private static final int LEARN = 140;

    private final Backend one = new Backend();
    private final Backend other = new Backend();
    private final HttpClient client = HttpClient.newHttpClient();
    private ConfigurableApplicationContext gateway;
    private int port;

    @BeforeEach
    void start() throws Exception {
        gateway = Apps.start(
                App.class,
                WebApplicationType.REACTIVE,
                List.of(one, other),
                "spring.cloud.gateway.server.webflux.enabled=true",
                "aether.hedge.mode=on",
                "aether.hedge.min-delay=400ms");
        port = gateway.getEnvironment().getRequiredProperty("local.server.port", int.class);
        for (int i = 0; i < LEARN; i++) {
            assertThat(get().statusCode()).isEqualTo(200);
        }
        one.forget();
        other.forget();
    }

    @AfterEach
    void stop() {
        gateway.close();
        one.close();
        other.close();
    }

    private HttpResponse<String> get() throws Exception {
        return send(HttpRequest.newBuilder().GET());
    }

    private HttpResponse<String> send(HttpRequest.Builder request) throws Exception {
        return client.send(
                request.uri(URI.create("http://127.0.0.1:" + port + "/x")).build(),
                HttpResponse.BodyHandlers.ofString());
    }

    /** The next request that comes, to whichever server, takes three seconds; {@code status} is what later ones get. */
    private void oneIsSlow(int status) {
        AtomicInteger requests = new AtomicInteger();
        Backend.Behaviour behaviour = exchange -> {
            boolean first = requests.getAndIncrement() == 0;
            if (first) {
                TimeUnit.SECONDS.sleep(3);
            }
            exchange.getResponseHeaders().set("X-Attempt", first ? "first" : "second");
            Backend.answer(exchange, first ? 200 : status, first ? "late" : "ok");
        };
        one.does(behaviour);
        other.does(behaviour);
    }

    private HedgerSnapshot counts() {
        return gateway.getBean(Hedges.class).all().get(0).hedger().snapshot();
    }

    private void assertNothingInFlight() {
        ServiceFleet fleet = gateway.getBean(ServiceFleets.class).get("shop");
        await().untilAsserted(() -> {
            assertThat(fleet.inFlight()).isZero();
            assertThat(gateway.getBean(BranchLimits.class).all())
                    .allMatch(branch -> branch.limiter().inFlight() == 0);
        });
    }

    @Test
    void aSlowRouteIsAnsweredByAnotherInstance() throws Exception {
        long won = counts().won();
        oneIsSlow(200);
        HttpResponse<String> answer = get();
        assertThat(answer.body()).isEqualTo("ok");
        assertThat(answer.headers().allValues("X-Attempt")).containsExactly("second");
        assertThat(one.requests()).isOne();
        assertThat(other.requests()).isOne();
        assertThat(counts().won()).isEqualTo(won + 1);
        assertNothingInFlight();
    }

    @Test
    void theFirstCountsWhenTheSecondFails() throws Exception {
        HedgerSnapshot before = counts();
        oneIsSlow(503);
        HttpResponse<String> answer = get();
        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(answer.body()).isEqualTo("late");
        assertThat(answer.headers().allValues("X-Attempt")).containsExactly("first");
        assertThat(counts().slow()).isEqualTo(before.slow() + 1);
        assertThat(counts().won()).isEqualTo(before.won());
        assertNothingInFlight();
    }

    @Test
    void whatHasABodyOrChangesSomethingIsSentOnce() throws Exception {
        oneIsSlow(200);
        assertThat(send(HttpRequest.newBuilder().POST(HttpRequest.BodyPublishers.ofString("order")))
                        .body())
                .isEqualTo("late");
        oneIsSlow(200);
        assertThat(send(HttpRequest.newBuilder().method("GET", HttpRequest.BodyPublishers.ofString("query")))
                        .body())
                .isEqualTo("late");
        assertThat(one.requests() + other.requests()).isEqualTo(2);
        assertNothingInFlight();
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class App {
        @Bean
        RouteLocator routes(RouteLocatorBuilder builder) {
            return builder.routes()
                    .route("x", route -> route.path("/x").uri("lb://shop"))
                    .build();
        }
    }
}

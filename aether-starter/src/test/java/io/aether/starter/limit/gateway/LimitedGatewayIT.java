// SPDX-License-Identifier: Apache-2.0
package io.aether.starter.limit.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.aether.core.limit.Priority;
import io.aether.core.pick.Mode;
import io.aether.starter.balancer.ServiceFleet;
import io.aether.starter.balancer.ServiceFleets;
import io.aether.starter.inflight.FailureKind;
import io.aether.starter.limit.Branch;
import io.aether.starter.limit.BranchLimitedException;
import io.aether.starter.limit.BranchLimits;
import io.aether.starter.testing.Apps;
import io.aether.starter.testing.Backend;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.cloud.gateway.filter.factory.RetryGatewayFilterFactory;
import org.springframework.cloud.gateway.route.RouteLocator;
import org.springframework.cloud.gateway.route.builder.RouteLocatorBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.HttpStatus;
import reactor.core.publisher.Mono;

/** Routes of a real gateway to real servers, one of which refuses for overload. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class LimitedGatewayIT {

    private static final int CALLS = 60;

    private final Backend busy = new Backend();
    private final Backend idle = new Backend();
    private final HttpClient client = HttpClient.newHttpClient();
    private ConfigurableApplicationContext gateway;
    private BranchLimits limits;
    private int port;

    @BeforeAll
    void start() {
        gateway = Apps.start(
                App.class,
                WebApplicationType.REACTIVE,
                List.of(busy),
                "spring.cloud.discovery.client.simple.instances.idle[0].uri=" + idle.uri(),
                "spring.cloud.gateway.server.webflux.enabled=true",
                "management.endpoints.web.exposure.include=aether",
                "aether.limit.grace=0s");
        limits = gateway.getBean(BranchLimits.class);
        port = gateway.getEnvironment().getRequiredProperty("local.server.port", int.class);
    }

    @AfterAll
    void stop() {
        gateway.close();
        busy.close();
        idle.close();
    }

    @AfterEach
    void calm() {
        limits.switches().change(Mode.ON);
        busy.does(exchange -> Backend.answer(exchange, 200, "ok"));
        limits.all().forEach(branch -> branch.limiter().forgive());
        busy.forget();
        idle.forget();
    }

    private void overloaded() {
        busy.does(exchange -> {
            exchange.getResponseHeaders().set("Retry-After", "7");
            Backend.answer(exchange, 503, "busy");
        });
    }

    private HttpResponse<String> get(String path) throws Exception {
        return client.send(
                HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                        .build(),
                BodyHandlers.ofString());
    }

    private Branch branch(String service) {
        return limits.all().stream()
                .filter(branch -> branch.service().equals(service))
                .findAny()
                .orElseThrow();
    }

    private ServiceFleet fleet() {
        return gateway.getBean(ServiceFleets.class).get(Apps.SERVICE);
    }

    @Test
    @Order(1)
    void aRetryIsMadeWhileTheBranchGrantsIt() throws Exception {
        assertThat(gateway.getBean(RetryGatewayFilterFactory.class)).isInstanceOf(GrantedRetryFilterFactory.class);
        busy.fails(500);
        int calls = 150;
        for (int i = 0; i < calls; i++) {
            assertThat(get("/retried").statusCode()).isEqualTo(500);
        }
        int retries = busy.requests() - calls;
        // Ten that were saved, a tenth of the calls, and a tenth for each second; up to three for each call without a
        // budget.
        assertThat(retries).isBetween(24, 35);
        assertThat(branch("shop").retries().spentTotal()).isEqualTo(retries);
        assertThat(branch("shop").retries().deniedTotal()).isPositive();
    }

    @Test
    @Order(2)
    void aServiceThatRefusesIsSparedWhileAnotherRunsAtFullRate() throws Exception {
        overloaded();
        long failuresBefore = fleet().failures(FailureKind.SERVER_ERROR);
        int heldBack = 0;
        for (int i = 0; i < CALLS; i++) {
            HttpResponse<String> answer = get("/shop");
            assertThat(answer.statusCode()).isEqualTo(503);
            assertThat(answer.headers().allValues("Retry-After")).hasSize(1);
            heldBack += answer.headers().firstValue("Retry-After").orElseThrow().equals("7") ? 0 : 1;
            assertThat(get("/idle").statusCode()).isEqualTo(200);
        }
        assertThat(heldBack).isGreaterThan(CALLS / 2);
        assertThat(busy.requests()).isEqualTo(CALLS - heldBack);
        assertThat(idle.requests()).isEqualTo(CALLS);
        assertThat(branch("idle").heldBack(Priority.CRITICAL)).isZero();
        await().untilAsserted(
                        () -> assertThat(branch("shop").limiter().inFlight()).isZero());
        assertThat(fleet().failures(FailureKind.SERVER_ERROR) - failuresBefore).isEqualTo(busy.requests());
    }

    @Test
    @Order(3)
    void whatIsHeldBackIsNotRetried() throws Exception {
        overloaded();
        for (int i = 0; i < CALLS; i++) {
            assertThat(get("/retried").statusCode()).isEqualTo(503);
        }
        // Retries stop with the first refusal: the branch is marked.
        assertThat(branch("shop").limiter().snapshot().sent()).isPositive();
        assertThat(busy.requests()).isLessThan(CALLS / 2);
    }

    @Test
    @Order(4)
    void aRouteMayFallBack() throws Exception {
        overloaded();
        int fellBack = 0;
        for (int i = 0; i < CALLS; i++) {
            fellBack += get("/fallback").statusCode() == 204 ? 1 : 0;
        }
        assertThat(fellBack).isGreaterThan(CALLS / 2);
    }

    @Test
    @Order(5)
    void observeSendsAllAndIsSwitchedByTheEndpoint() throws Exception {
        overloaded();
        post("{\"limit\":\"observe\",\"service\":\"shop\"}", 200);
        for (int i = 0; i < 50; i++) {
            assertThat(get("/shop").headers().firstValue("Retry-After")).hasValue("7");
        }
        assertThat(busy.requests()).isEqualTo(50);
        String report = get("/actuator/aether").body();
        assertThat(report).contains("\"limits\":{\"mode\":\"on\"").contains("\"shop\":{\"mode\":\"observe\"");
        assertThat(post("{\"limit\":\"perhaps\"}", 400)).contains("perhaps", "off, observe, on");
        post("{\"limit\":\"on\",\"service\":\"shop\"}", 200);
        assertThat(get("/actuator/aether").body())
                .contains("\"shop\":{\"mode\":\"on\",\"groups\":{\"default\":{\"rate\":");
    }

    private String post(String body, int status) throws Exception {
        HttpResponse<String> answer = client.send(
                HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/actuator/aether"))
                        .header("Content-Type", "application/json")
                        .POST(HttpRequest.BodyPublishers.ofString(body))
                        .build(),
                BodyHandlers.ofString());
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(status);
        return answer.body();
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class App {

        @Bean
        RouteLocator routes(RouteLocatorBuilder routes) {
            return routes.routes()
                    .route("shop", route -> route.path("/shop").uri("lb://shop"))
                    .route("idle", route -> route.path("/idle").uri("lb://idle"))
                    .route(
                            "retried",
                            route -> route.path("/retried")
                                    .filters(filters -> filters.retry(retry -> retry.setRetries(3)))
                                    .uri("lb://shop"))
                    .route(
                            "fallback",
                            route -> route.path("/fallback")
                                    .filters(filters -> filters.filter((exchange, chain) -> chain.filter(exchange)
                                            .onErrorResume(BranchLimitedException.class, e -> {
                                                exchange.getResponse().setStatusCode(HttpStatus.NO_CONTENT);
                                                return Mono.empty();
                                            })))
                                    .uri("lb://shop"))
                    .build();
        }
    }
}

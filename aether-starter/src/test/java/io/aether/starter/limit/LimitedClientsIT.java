// SPDX-License-Identifier: Apache-2.0
package io.aether.starter.limit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import io.aether.core.limit.Priority;
import io.aether.core.pick.Mode;
import io.aether.starter.balancer.ServiceFleet;
import io.aether.starter.balancer.ServiceFleets;
import io.aether.starter.inflight.FailureKind;
import io.aether.starter.testing.Apps;
import io.aether.starter.testing.Backend;
import io.github.resilience4j.ratelimiter.RateLimiterRegistry;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.boot.WebApplicationType;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.web.client.RestClient;
import org.springframework.web.reactive.function.client.WebClient;

/** Every kind of client against real servers, one of which refuses for overload. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class LimitedClientsIT {

    private static final int CALLS = 60;

    private final Backend busy = new Backend();
    private final Backend idle = new Backend();
    private ConfigurableApplicationContext app;
    private BranchLimits limits;

    @BeforeAll
    void start() {
        app = Apps.start(
                ClientKinds.App.class,
                WebApplicationType.NONE,
                List.of(busy),
                "spring.cloud.discovery.client.simple.instances.idle[0].uri=" + idle.uri(),
                ClientKinds.REACTIVE_SHOP,
                ClientKinds.REACTIVE_IDLE,
                "aether.limit.grace=0s",
                "aether.services.shop.limit.groups.a=/a",
                "aether.services.shop.limit.groups.b=/b");
        limits = app.getBean(BranchLimits.class);
    }

    @AfterAll
    void stop() {
        app.close();
        busy.close();
        idle.close();
    }

    @AfterEach
    void calm() {
        limits.switches().change(Mode.ON);
        busy.does(exchange -> Backend.answer(exchange, 200, "ok"));
        idle.does(exchange -> Backend.answer(exchange, 200, "ok"));
        limits.all().forEach(branch -> branch.limiter().forgive());
        busy.forget();
        idle.forget();
    }

    private void overloaded() {
        busy.does(exchange -> {
            exchange.getResponseHeaders().set("Retry-After", "1");
            Backend.answer(exchange, 503, "busy");
        });
    }

    private ServiceFleet fleet() {
        return app.getBean(ServiceFleets.class).get(Apps.SERVICE);
    }

    private Branch branch(String service, String group) {
        return limits.all().stream()
                .filter(branch ->
                        branch.service().equals(service) && branch.group().equals(group))
                .findAny()
                .orElseThrow();
    }

    @ParameterizedTest
    @MethodSource("io.aether.starter.limit.ClientKinds#all")
    void aServiceThatRefusesIsSparedWhileAnotherRunsAtFullRate(String kind) {
        overloaded();
        ClientKinds.Client client = ClientKinds.of(kind, app);
        int heldBack = 0;
        for (int i = 0; i < CALLS; i++) {
            Throwable error = catchThrowable(() -> client.get("shop"));
            heldBack += error instanceof BranchLimitedException ? 1 : 0;
            client.get("idle");
        }
        assertThat(heldBack).isGreaterThan(CALLS / 2);
        assertThat(idle.requests()).isEqualTo(CALLS);
        // What was held back was not sent, and no instance is blamed for it.
        assertThat(busy.requests()).isEqualTo(CALLS - heldBack);
        Branch branch = branch("shop", "default");
        await().untilAsserted(() -> assertThat(branch.limiter().inFlight()).isZero());
        await().untilAsserted(() -> assertThat(fleet().inFlight()).isZero());
        assertThat(branch("idle", "default").heldBack(Priority.CRITICAL)).isZero();
    }

    @ParameterizedTest
    @MethodSource("io.aether.starter.limit.ClientKinds#all")
    void ourOwnRefusalIsNoFailureOfAnInstance(String kind) {
        ClientKinds.Client client = ClientKinds.of(kind, app);
        client.get("shop");
        overloaded();
        long failuresBefore = fleet().failures(FailureKind.SERVER_ERROR);
        long picksBefore = fleet().instances().get(0).picks();
        busy.forget();
        int heldBack = 0;
        for (int i = 0; i < CALLS; i++) {
            heldBack += catchThrowable(() -> client.get("shop")) instanceof BranchLimitedException ? 1 : 0;
        }
        assertThat(heldBack).isPositive();
        await().untilAsserted(() -> assertThat(fleet().failures(FailureKind.SERVER_ERROR) - failuresBefore)
                .isEqualTo(busy.requests()));
        assertThat(fleet().instances().get(0).picks() - picksBefore).isEqualTo(busy.requests());
    }

    @ParameterizedTest
    @MethodSource("io.aether.starter.limit.ClientKinds#all")
    void observeSendsAll(String kind) {
        limits.switches().change(Mode.OBSERVE);
        overloaded();
        ClientKinds.Client client = ClientKinds.of(kind, app);
        long before = branch("shop", "default").heldBack(Priority.CRITICAL);
        for (int i = 0; i < CALLS; i++) {
            assertThat(catchThrowable(() -> client.get("shop")))
                    .isNotNull()
                    .isNotInstanceOf(BranchLimitedException.class);
        }
        assertThat(busy.requests()).isEqualTo(CALLS);
        assertThat(branch("shop", "default").heldBack(Priority.CRITICAL) - before)
                .isPositive();
    }

    @ParameterizedTest
    @MethodSource("io.aether.starter.limit.ClientKinds#all")
    void aServiceWithoutInstancesLeavesNothingInFlight(String kind) {
        if (kind.startsWith("HTTP")) {
            return; // Made for services that there are.
        }
        ClientKinds.Client client = ClientKinds.of(kind, app);
        for (int i = 0; i < 10; i++) {
            assertThat(catchThrowable(() -> client.get("nowhere"))).isNotNull();
        }
        assertThat(branch("nowhere", "default").limiter().inFlight()).isZero();
    }

    @Test
    void aGroupOfRoutesIsABranchOfItsOwn() {
        busy.does(exchange -> {
            boolean a = exchange.getRequestURI().getPath().equals("/a");
            Backend.answer(exchange, a ? 429 : 200, "");
        });
        RestClient client = app.getBean(RestClient.Builder.class).build();
        for (int i = 0; i < CALLS; i++) {
            Throwable unused = catchThrowable(
                    () -> client.get().uri("http://shop/a").retrieve().toBodilessEntity());
            client.get().uri("http://shop/b").retrieve().toBodilessEntity();
        }
        assertThat(branch("shop", "a").heldBack(Priority.CRITICAL)).isGreaterThan(CALLS / 2);
        assertThat(branch("shop", "b").heldBack(Priority.CRITICAL)).isZero();
        assertThat(branch("shop", "b").limiter().snapshot().answered()).isEqualTo(CALLS);
    }

    @Test
    void aTimeoutIsLost() {
        idle.hangs();
        WebClient client = app.getBean(WebClient.Builder.class).build();
        long before = limits.all().isEmpty() ? 0 : lost();
        assertThatThrownBy(() -> client.get()
                        .uri("http://idle/")
                        .retrieve()
                        .bodyToMono(String.class)
                        .timeout(Duration.ofMillis(50))
                        .block())
                .hasMessageContaining("50ms");
        await().untilAsserted(() -> assertThat(lost()).isEqualTo(before + 1));
        assertThat(branch("idle", "default").limiter().inFlight()).isZero();
    }

    private long lost() {
        return limits.all().stream()
                .filter(branch -> branch.service().equals("idle"))
                .mapToLong(branch -> branch.limiter().snapshot().lost())
                .sum();
    }

    @Test
    void theRegistryAndTheMetersShowThem() {
        ClientKinds.of("RestClient", app).get("idle");
        assertThat(app.getBean(RateLimiterRegistry.class).find("aether:idle:default"))
                .containsInstanceOf(AetherRateLimiter.class);
        MeterRegistry meters = app.getBean(MeterRegistry.class);
        assertThat(meters.get("aether.limit.rate")
                        .tags("service", "idle", "group", "default")
                        .gauge()
                        .value())
                .isNaN();
        assertThat(meters.get("aether.limit.held.back")
                        .tags("service", "idle", "group", "default", "priority", "bulk")
                        .functionCounter()
                        .count())
                .isZero();
    }
}

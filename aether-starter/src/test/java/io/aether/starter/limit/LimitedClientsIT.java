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
import io.aether.starter.context.ContextHeaders;
import io.aether.starter.context.RequestContext;
import io.aether.starter.context.RequestContexts;
import io.aether.starter.context.ServerWork;
import io.aether.starter.inflight.FailureKind;
import io.aether.starter.testing.Apps;
import io.aether.starter.testing.Backend;
import io.github.resilience4j.ratelimiter.RateLimiterRegistry;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.cloud.client.loadbalancer.LoadBalanced;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.client.RestClient;
import org.springframework.web.client.RestTemplate;
import org.springframework.web.reactive.function.client.WebClient;
import org.springframework.web.service.annotation.GetExchange;
import org.springframework.web.service.registry.HttpServiceGroup;
import org.springframework.web.service.registry.ImportHttpServices;

/** Every kind of client against real servers, one of which refuses for overload. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@SuppressWarnings("try") // Scopes are opened for their effect.
class LimitedClientsIT {

    private static final int CALLS = 60;

    private final Backend busy = new Backend();
    private final Backend idle = new Backend();
    private ConfigurableApplicationContext app;
    private BranchLimits limits;

    /** A way to call a service; throws if the call fails. */
    private interface Client {
        void get(String service);
    }

    @BeforeAll
    void start() {
        app = Apps.start(
                App.class,
                WebApplicationType.NONE,
                List.of(busy),
                "spring.cloud.discovery.client.simple.instances.idle[0].uri=" + idle.uri(),
                "spring.http.serviceclient.reactive-shop.base-url=lb://shop",
                "spring.http.serviceclient.reactive-idle.base-url=lb://idle",
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

    private Client client(String kind) {
        return switch (kind) {
            case "WebClient" -> {
                WebClient client = app.getBean(WebClient.Builder.class).build();
                yield service -> client.get()
                        .uri("http://" + service + "/x")
                        .retrieve()
                        .bodyToMono(String.class)
                        .block();
            }
            case "RestClient" -> {
                RestClient client = app.getBean(RestClient.Builder.class).build();
                yield service ->
                        client.get().uri("http://" + service + "/x").retrieve().body(String.class);
            }
            case "RestTemplate" -> {
                RestTemplate client = app.getBean(RestTemplate.class);
                yield service -> client.getForObject("http://" + service + "/x", String.class);
            }
            case "HTTP interface on RestClient" -> {
                Shop shop = app.getBean(Shop.class);
                Idle other = app.getBean(Idle.class);
                yield service -> {
                    String unused = service.equals("idle") ? other.get() : shop.get();
                };
            }
            default -> {
                ReactiveShop shop = app.getBean(ReactiveShop.class);
                ReactiveIdle other = app.getBean(ReactiveIdle.class);
                yield service -> {
                    String unused = service.equals("idle") ? other.get() : shop.get();
                };
            }
        };
    }

    static Stream<String> kinds() {
        return Stream.of(
                "WebClient",
                "RestClient",
                "RestTemplate",
                "HTTP interface on RestClient",
                "HTTP interface on WebClient");
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
    @MethodSource("kinds")
    void aServiceThatRefusesIsSparedWhileAnotherRunsAtFullRate(String kind) {
        overloaded();
        Client client = client(kind);
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
    @MethodSource("kinds")
    void ourOwnRefusalIsNoFailureOfAnInstance(String kind) {
        Client client = client(kind);
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
    @MethodSource("kinds")
    void observeSendsAll(String kind) {
        limits.switches().change(Mode.OBSERVE);
        overloaded();
        Client client = client(kind);
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
    @MethodSource("kinds")
    void carriesTheContextOnAndTellsTheServer(String kind) {
        AtomicReference<String> priority = new AtomicReference<>();
        AtomicReference<String> deadline = new AtomicReference<>();
        idle.does(exchange -> {
            priority.set(exchange.getRequestHeaders().getFirst(ContextHeaders.PRIORITY));
            deadline.set(exchange.getRequestHeaders().getFirst(ContextHeaders.DEADLINE));
            exchange.getResponseHeaders().set(ContextHeaders.PRESSURE, "42");
            Backend.answer(exchange, 200, "ok");
        });
        Work work = new Work();
        long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
        Client client = client(kind);
        try (RequestContexts.Scope scope =
                RequestContexts.open(new RequestContext(Priority.BEST_EFFORT, until, 0, work))) {
            client.get("idle");
        }
        assertThat(priority).hasValue("best_effort");
        assertThat(Long.parseLong(deadline.get())).isBetween(20_000L, 30_000L);
        assertThat(work.heard).isEqualTo(42);
        await().untilAsserted(() -> assertThat(work.open).isZero());
        assertThat(work.calls).isEqualTo(1);
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void aCallAfterTheDeadlineIsNotSent(String kind) {
        Client client = client(kind);
        try (RequestContexts.Scope scope = RequestContexts.open(
                new RequestContext(Priority.CRITICAL, System.nanoTime() - 1, 0, ServerWork.NONE))) {
            assertThatThrownBy(() -> client.get("idle")).isInstanceOf(DeadlinePassedException.class);
        }
        assertThat(idle.requests()).isZero();
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void aServiceWithoutInstancesLeavesNothingInFlight(String kind) {
        if (kind.startsWith("HTTP")) {
            return; // Made for services that there are.
        }
        Client client = client(kind);
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
        client("WebClient");
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
        client("RestClient").get("idle");
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

    /** A server's request that waits for calls. */
    private static final class Work implements ServerWork {
        private volatile int open;
        private volatile int calls;
        private volatile int heard = -1;

        @Override
        public synchronized void callBegins() {
            open++;
            calls++;
        }

        @Override
        public synchronized void callEnds() {
            open--;
        }

        @Override
        public synchronized void heard(int pressure) {
            heard = pressure;
        }
    }

    interface Shop {
        @GetExchange("/x")
        String get();
    }

    interface Idle {
        @GetExchange("/x")
        String get();
    }

    interface ReactiveShop {
        @GetExchange("/x")
        String get();
    }

    interface ReactiveIdle {
        @GetExchange("/x")
        String get();
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @ImportHttpServices(group = "shop", types = Shop.class, clientType = HttpServiceGroup.ClientType.REST_CLIENT)
    @ImportHttpServices(group = "idle", types = Idle.class, clientType = HttpServiceGroup.ClientType.REST_CLIENT)
    @ImportHttpServices(
            group = "reactive-shop",
            types = ReactiveShop.class,
            clientType = HttpServiceGroup.ClientType.WEB_CLIENT)
    @ImportHttpServices(
            group = "reactive-idle",
            types = ReactiveIdle.class,
            clientType = HttpServiceGroup.ClientType.WEB_CLIENT)
    static class App {

        @Bean
        @LoadBalanced
        WebClient.Builder webClientBuilder() {
            return WebClient.builder();
        }

        @Bean
        @LoadBalanced
        RestClient.Builder restClientBuilder() {
            return RestClient.builder();
        }

        @Bean
        @LoadBalanced
        RestTemplate restTemplate() {
            return new RestTemplate();
        }
    }
}

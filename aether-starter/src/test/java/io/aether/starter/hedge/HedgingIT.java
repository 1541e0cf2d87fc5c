// SPDX-License-Identifier: Apache-2.0
package io.aether.starter.hedge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.aether.core.hedge.HedgerSnapshot;
import io.aether.core.pick.Instance;
import io.aether.core.pick.Mode;
import io.aether.starter.balancer.ServiceFleet;
import io.aether.starter.balancer.ServiceFleets;
import io.aether.starter.limit.Branch;
import io.aether.starter.limit.BranchLimits;
import io.aether.starter.testing.Apps;
import io.aether.starter.testing.Backend;
import io.aether.starter.testing.BalancedClients;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.http.HttpMethod;
import org.springframework.web.client.RestClient;
import org.springframework.web.client.RestTemplate;
import org.springframework.web.reactive.function.client.WebClient;

/** Hedged calls of each kind of client to real servers, one of which now and then takes three seconds. */
class HedgingIT {

    /** Enough for a P95 and for seven second attempts to have been saved, which the clock may use four of. */
    private static final int LEARN = 140;

    private final Backend good = new Backend();
    private final Backend other = new Backend();
    private ConfigurableApplicationContext app;

    private void start(String... properties) {
        List<String> all = new ArrayList<>(List.of(properties));
        // What is told apart here is milliseconds from seconds, on machines that do other things too.
        all.add("aether.hedge.min-delay=400ms");
        app = Apps.start(App.class, WebApplicationType.NONE, List.of(good, other), all.toArray(String[]::new));
    }

    @AfterEach
    void stop() {
        app.close();
        List.of(good, other).forEach(Backend::close);
    }

    /** The body of an answer. */
    private String call(String kind, HttpMethod method) {
        return switch (kind) {
            case "WebClient" ->
                app.getBean(WebClient.Builder.class)
                        .build()
                        .method(method)
                        .uri("http://shop/x")
                        .retrieve()
                        .bodyToMono(String.class)
                        .block();
            case "RestClient" ->
                app.getBean(RestClient.Builder.class)
                        .build()
                        .method(method)
                        .uri("http://shop/x")
                        .retrieve()
                        .body(String.class);
            default ->
                app.getBean(RestTemplate.class)
                        .exchange("http://shop/x", method, null, String.class)
                        .getBody();
        };
    }

    private void learn(String kind) {
        for (int i = 0; i < LEARN; i++) {
            call(kind, HttpMethod.GET);
        }
        good.forget();
        other.forget();
    }

    /** Of both servers, only the next request to come takes three seconds; whichever of them gets it. */
    private void oneIsSlow() {
        AtomicInteger requests = new AtomicInteger();
        Backend.Behaviour behaviour = exchange -> {
            if (requests.getAndIncrement() == 0) {
                TimeUnit.SECONDS.sleep(3);
                Backend.answer(exchange, 200, "late");
            } else {
                Backend.answer(exchange, 200, "ok");
            }
        };
        good.does(behaviour);
        other.does(behaviour);
    }

    private ServiceFleet fleet() {
        return app.getBean(ServiceFleets.class).get("shop");
    }

    private HedgerSnapshot counts() {
        return app.getBean(Hedges.class).all().get(0).hedger().snapshot();
    }

    private void assertNothingInFlight() {
        await().untilAsserted(() -> {
            assertThat(fleet().instances()).allMatch(instance -> instance.inFlight() == 0);
            assertThat(app.getBean(BranchLimits.class).all()).allMatch(HedgingIT::isIdle);
        });
        assertThat(fleet().instances()).allMatch(instance -> instance.failures() == 0);
    }

    private static boolean isIdle(Branch branch) {
        return branch.limiter().inFlight() == 0;
    }

    @ParameterizedTest
    @ValueSource(strings = {"WebClient", "RestClient", "RestTemplate"})
    void aSlowAnswerIsOvertakenByAnotherInstances(String kind) {
        start("aether.hedge.mode=on");
        learn(kind);
        HedgerSnapshot before = counts();
        oneIsSlow();
        long begin = System.nanoTime();
        assertThat(call(kind, HttpMethod.GET)).isEqualTo("ok");
        assertThat(System.nanoTime() - begin).isLessThan(2_800_000_000L);
        assertThat(good.requests()).isOne();
        assertThat(other.requests()).isOne();
        HedgerSnapshot counts = counts();
        assertThat(counts.won()).isEqualTo(before.won() + 1);
        assertThat(counts.slow()).isEqualTo(before.slow() + 1);
        assertThat(app.getBean(BranchLimits.class).all().get(0).retries().spentTotal())
                .isEqualTo(counts.hedges());
        assertNothingInFlight();
        // The attempt that was cancelled waited for 400 ms at least: a lower bound of what it would have taken, and no
        // failure.
        assertThat(fleet().instances()).anyMatch(instance -> latencyOf(instance) > 20);
    }

    @ParameterizedTest
    @ValueSource(strings = {"WebClient", "RestClient"})
    void whatChangesSomethingIsSentOnce(String kind) {
        start("aether.hedge.mode=on");
        learn(kind);
        oneIsSlow();
        assertThat(call(kind, HttpMethod.POST)).isEqualTo("late");
        assertThat(good.requests() + other.requests()).isOne();
        assertNothingInFlight();
    }

    @Test
    void isOffByDefaultAndPerService() {
        String kind = "RestClient";
        start("aether.services.other.hedge.mode=on");
        learn(kind);
        oneIsSlow();
        assertThat(call(kind, HttpMethod.GET)).isEqualTo("late");
        assertThat(app.getBean(Hedges.class).all()).isEmpty();
        app.getBean(Hedges.class).switches().change("shop", Mode.ON);
        learn(kind);
        oneIsSlow();
        assertThat(call(kind, HttpMethod.GET)).isEqualTo("ok");
    }

    @Test
    void extraRequestsStayWithinTheBudget() {
        String kind = "WebClient";
        start("aether.hedge.mode=on", "aether.services.shop.hedge.min-delay=1ms");
        learn(kind);
        int learnt = (int) counts().hedges();
        AtomicInteger requests = new AtomicInteger();
        // Half of all answers take long, so the clock would like many more.
        Backend.Behaviour behaviour = exchange -> {
            if (requests.getAndIncrement() % 2 == 0) {
                TimeUnit.MILLISECONDS.sleep(30);
            }
            Backend.answer(exchange, 200, "ok");
        };
        good.does(behaviour);
        other.does(behaviour);
        for (int i = 0; i < 200; i++) {
            call(kind, HttpMethod.GET);
        }
        HedgerSnapshot counts = counts();
        assertThat(counts.hedges()).isLessThanOrEqualTo(counts.calls() / 20);
        // One that is cancelled while it connects is never seen.
        assertThat(good.requests() + other.requests()).isBetween(200, 200 + (int) counts.hedges() - learnt);
        assertNothingInFlight();
    }

    private long latencyOf(Instance instance) {
        return fleet().snapshot().stream()
                .filter(snapshot -> snapshot.key().equals(instance.key()))
                .mapToLong(snapshot -> (long) snapshot.latencyMillis())
                .findAny()
                .orElseThrow();
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @Import(BalancedClients.class)
    static class App {}
}

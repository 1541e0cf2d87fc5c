// SPDX-License-Identifier: Apache-2.0
package io.aether.starter.hedge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.aether.core.hedge.HedgeSettings;
import io.aether.core.hedge.Hedger;
import io.aether.core.limit.LimitSettings;
import io.aether.core.pick.Instance;
import io.aether.core.pick.Mode;
import io.aether.starter.balancer.AetherLoadBalancer;
import io.aether.starter.balancer.ServiceFleet;
import io.aether.starter.balancer.ServiceFleets;
import io.aether.starter.context.IgnoredHeaders;
import io.aether.starter.context.RequestContext;
import io.aether.starter.limit.BranchLimits;
import io.aether.starter.limit.LimitSwitches;
import io.aether.starter.testing.Apps;
import io.aether.starter.testing.Instances;
import io.github.resilience4j.ratelimiter.RateLimiterRegistry;
import java.net.URI;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.support.StaticListableBeanFactory;
import org.springframework.cloud.client.ServiceInstance;
import org.springframework.cloud.client.loadbalancer.DefaultRequest;
import org.springframework.cloud.loadbalancer.core.ServiceInstanceListSupplier;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.MonoSink;

/** Who wins, who is cancelled and what is discarded; the test ends the attempts and decides when a call is looked at. */
class HedgedMonoTests {

    private static final long MILLI = 1_000_000;

    private long now = 5_000 * MILLI;
    private final ServiceFleets fleets = Instances.fleets(Mode.ON, () -> now);
    private final Hedger hedger = new Hedger(HedgeSettings.defaults(), () -> now);
    private final Deque<Runnable> looks = new ArrayDeque<>();
    private final List<String> discarded = new CopyOnWriteArrayList<>();
    private final List<String> received = new CopyOnWriteArrayList<>();
    private final List<String> cancelled = new CopyOnWriteArrayList<>();
    private final AtomicInteger seconds = new AtomicInteger();
    private MonoSink<String> first;
    private volatile MonoSink<String> second;

    @BeforeEach
    void learn() {
        StaticListableBeanFactory beans = new StaticListableBeanFactory();
        beans.addBean("supplier", supplier(Instances.of(3)));
        new AetherLoadBalancer(beans.getBeanProvider(ServiceInstanceListSupplier.class), Apps.SERVICE, fleets)
                .choose(new DefaultRequest<>())
                .block();
        for (int i = 0; i < 400; i++) {
            long sent = hedger.sent();
            now += 2 * MILLI;
            hedger.answered(sent);
        }
    }

    private static ServiceInstanceListSupplier supplier(List<ServiceInstance> instances) {
        return new ServiceInstanceListSupplier() {
            @Override
            public String getServiceId() {
                return Apps.SERVICE;
            }

            @Override
            public Flux<List<ServiceInstance>> get() {
                return Flux.just(instances);
            }
        };
    }

    private Disposable call() {
        return call(Mode.ON);
    }

    private Disposable call(Mode mode) {
        BranchLimits limits = new BranchLimits(
                new LimitSwitches(Mode.OFF, Map.of()),
                Map.of(),
                RateLimiterRegistry.ofDefaults(),
                LimitSettings.defaults(),
                () -> now,
                BranchLimits.Marks.NONE,
                new IgnoredHeaders());
        ServiceFleet fleet = fleets.get(Apps.SERVICE);
        Instance instance = fleet.instances().get(0);
        HedgeTimer timer = (nanos, look) -> {
            looks.add(look);
            return new CompletableFuture<>();
        };
        Hedge hedge = new Hedge(
                hedger,
                fleet,
                limits.call(URI.create("http://shop/"), RequestContext.NONE),
                () -> instance,
                mode,
                timer);
        Mono<String> one = Mono.<String>create(sink -> first = sink).doOnCancel(() -> cancelled.add("first"));
        Mono<String> two = Mono.<String>create(sink -> second = sink).doOnCancel(() -> cancelled.add("second"));
        return new HedgedMono<>(
                        hedge,
                        one,
                        () -> {
                            seconds.incrementAndGet();
                            return two;
                        },
                        answer -> answer.startsWith("5"),
                        discarded::add)
                .subscribe(received::add, error -> received.add(error.getMessage()));
    }

    /** Lets so much time go by and looks at the call. */
    private void wait(int millis) {
        now += millis * MILLI;
        looks.remove().run();
    }

    private void hedge() {
        wait(100);
        await().until(() -> second != null);
    }

    @Test
    void aQuickAnswerNeedsNoSecond() {
        call();
        wait(1);
        first.success("200");
        assertThat(received).containsExactly("200");
        assertThat(seconds).hasValue(0);
        assertThat(cancelled).isEmpty();
    }

    @Test
    void theSecondsAnswerCancelsTheFirst() {
        call();
        hedge();
        second.success("200 second");
        assertThat(received).containsExactly("200 second");
        assertThat(cancelled).containsExactly("first");
        assertThat(hedger.snapshot().won()).isOne();
    }

    @Test
    void theFirstsAnswerCancelsTheSecond() {
        call();
        hedge();
        first.success("200 first");
        assertThat(received).containsExactly("200 first");
        assertThat(cancelled).containsExactly("second");
        assertThat(hedger.snapshot().won()).isZero();
        assertThat(hedger.snapshot().slow()).isOne();
    }

    @Test
    void oneMoreAttemptAtMost() {
        call();
        hedge();
        assertThat(looks).isEmpty();
        assertThat(seconds).hasValue(1);
    }

    @Test
    void anErrorOfOneWaitsForTheOther() {
        call();
        hedge();
        first.error(new IllegalStateException("broken"));
        assertThat(received).isEmpty();
        second.success("200 second");
        assertThat(received).containsExactly("200 second");
    }

    @Test
    void anAnswerThatSaysFailureWaitsForTheOtherAndIsDiscarded() {
        call();
        hedge();
        second.success("503 second");
        assertThat(received).isEmpty();
        first.success("200 first");
        assertThat(received).containsExactly("200 first");
        assertThat(discarded).containsExactly("503 second");
    }

    @Test
    void whenBothFailTheCallerGetsTheFirstsFailure() {
        call();
        hedge();
        second.success("503 second");
        first.success("500 first");
        assertThat(received).containsExactly("500 first");
        assertThat(discarded).containsExactly("503 second");
    }

    @Test
    void aFailureBeforeTheSecondIsTheCallersAtOnce() {
        call();
        wait(1);
        first.success("500 first");
        assertThat(received).containsExactly("500 first");
        looks.remove().run();
        assertThat(seconds).hasValue(0);
    }

    @Test
    void aCallerWhoLeavesCancelsBoth() {
        Disposable caller = call();
        hedge();
        caller.dispose();
        assertThat(cancelled).containsExactlyInAnyOrder("first", "second");
        second.success("200 late");
        assertThat(received).isEmpty();
    }

    @Test
    void aCallerWhoLeavesEarlyIsNotHedged() {
        Disposable caller = call();
        caller.dispose();
        wait(100);
        assertThat(seconds).hasValue(0);
    }

    @Test
    void observingCountsAndSendsNothing() {
        call(Mode.OBSERVE);
        wait(100);
        assertThat(hedger.snapshot().slow()).isOne();
        assertThat(seconds).hasValue(0);
        assertThat(looks).isEmpty();
        first.success("200 first");
        assertThat(received).containsExactly("200 first");
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.aether.starter.limit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.aether.core.limit.LimitSettings;
import io.aether.core.limit.Priority;
import io.aether.core.pick.Mode;
import io.aether.starter.context.ContextHeaders;
import io.aether.starter.context.IgnoredHeaders;
import io.aether.starter.context.RequestContext;
import io.aether.starter.context.ServerWork;
import io.aether.starter.server.ServerLoad;
import io.aether.starter.server.ServerRequest;
import io.github.resilience4j.ratelimiter.RateLimiterRegistry;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;

/** One call and its attempts, at times that the test decides. */
class PassageTests {
    private static final long MILLI = 1_000_000;

    private long now = 5_000 * MILLI;
    private final LimitSwitches switches = new LimitSwitches(Mode.ON, Map.of("free", Mode.OFF));
    private final List<String> server = new ArrayList<>();
    private final BranchLimits limits = new BranchLimits(
            switches,
            Map.of(
                    "shop", new BranchLimits.Own(Map.of("orders", List.of("/orders/**")), false),
                    "extra", new BranchLimits.Own(Map.of(), true)),
            RateLimiterRegistry.ofDefaults(),
            LimitSettings.defaults().withGrace(Duration.ZERO),
            () -> now,
            BranchLimits.Marks.NONE,
            new IgnoredHeaders());

    private final ServerWork work = new ServerWork() {
        @Override
        public void callBegins() {
            server.add("begins");
        }

        @Override
        public void callEnds() {
            server.add("ends");
        }

        @Override
        public void heard(int pressure) {
            server.add("heard " + pressure);
        }
    };

    private RequestContext context(Priority priority) {
        return new RequestContext(priority, RequestContext.NO_DEADLINE, 0, work);
    }

    private Passage call(String url) {
        return Calls.call(limits, url);
    }

    private Branch branch(String service) {
        return limits.all().stream()
                .filter(branch -> branch.service().equals(service))
                .findAny()
                .orElseThrow();
    }

    @Test
    void everyEndIsReportedOnce() {
        Passage call = call("http://other/");
        call.settle();
        call.ask();
        call.answered(HttpStatus.OK, new HttpHeaders());
        call.answered(HttpStatus.TOO_MANY_REQUESTS, new HttpHeaders());
        call.settle();
        call.end();
        call.ask();
        call.settle();
        call.end();
        call.answered(HttpStatus.OK, new HttpHeaders());
        call.ask();
        call.ask(); // Nobody reported the one before.
        call.end();
        var state = branch("other").limiter().snapshot();
        assertThat(state.sent()).isEqualTo(4);
        assertThat(state.answered()).isEqualTo(1);
        assertThat(state.lost()).isEqualTo(3);
        assertThat(state.refused()).isZero();
    }

    @Test
    void theServerHearsWhenItsRequestWaitsAndWhatPressureThereIs() {
        Passage call = limits.call(URI.create("http://other/"), new HttpHeaders(), context(Priority.CRITICAL));
        call.ask();
        call.answered(HttpStatus.OK, Calls.headers(ContextHeaders.PRESSURE, "77"));
        assertThat(server).containsExactly("begins", "heard 77");
        call.end();
        call.end();
        assertThat(server).containsExactly("begins", "heard 77", "ends");
        server.clear();
        Passage lost = limits.call(URI.create("http://free/"), new HttpHeaders(), context(Priority.CRITICAL));
        lost.ask();
        lost.settle();
        assertThat(server).containsExactly("begins", "ends");
    }

    @Test
    void pressureOfAnOptionalServiceIsNotTold() {
        Passage call = limits.call(URI.create("http://extra/"), new HttpHeaders(), context(Priority.CRITICAL));
        call.ask();
        call.answered(HttpStatus.OK, Calls.headers(ContextHeaders.PRESSURE, "200"));
        call.end();
        assertThat(server).containsExactly("begins", "ends");
    }

    @Test
    void aCallMaySayLessOfItselfThanItsRequest() {
        Calls.overload(limits, "http://other/");
        Passage bulk = limits.call(
                URI.create("http://other/"),
                Calls.headers(ContextHeaders.PRIORITY, "bulk"),
                context(Priority.CRITICAL));
        bulk.ask(); // BULK's floor.
        Map<String, String> told = new HashMap<>();
        bulk.write(told::put);
        assertThat(told).containsEntry(ContextHeaders.PRIORITY, "bulk");
        assertThatThrownBy(bulk::ask)
                .isInstanceOfSatisfying(
                        BranchLimitedException.class,
                        error -> assertThat(error.priority()).isEqualTo(Priority.BULK));
        assertThat(branch("other").heldBack(Priority.BULK)).isEqualTo(1);
    }

    @Test
    void aCallCannotSayMoreOfItselfThanItsRequest() {
        HttpHeaders bold = Calls.headers(ContextHeaders.PRIORITY, "critical", ContextHeaders.DEADLINE, "60000");
        RequestContext request = context(Priority.BEST_EFFORT).withDeadline(now + 500 * MILLI);
        Map<String, String> told = new HashMap<>();
        limits.call(URI.create("http://other/"), bold, request).write(told::put);
        assertThat(told)
                .containsEntry(ContextHeaders.PRIORITY, "best_effort")
                .containsEntry(ContextHeaders.DEADLINE, "500");
        told.clear();
        HttpHeaders silly = Calls.headers(ContextHeaders.PRIORITY, "emperor", ContextHeaders.DEADLINE, "-1");
        limits.call(URI.create("http://other/"), silly, request).write(told::put);
        assertThat(told)
                .containsEntry(ContextHeaders.PRIORITY, "best_effort")
                .containsEntry(ContextHeaders.DEADLINE, "500");
    }

    @Test
    void aCallThatNobodyWaitsForIsNotSent() {
        RequestContext late = context(Priority.CRITICAL).withDeadline(now + 10 * MILLI);
        Passage call = limits.call(URI.create("http://other/"), new HttpHeaders(), late);
        call.ask();
        call.answered(HttpStatus.OK, new HttpHeaders());
        now += 10 * MILLI;
        assertThatThrownBy(call::ask).isInstanceOfSatisfying(DeadlinePassedException.class, error -> {
            assertThat(error.getStatusCode()).isEqualTo(HttpStatus.GATEWAY_TIMEOUT);
            assertThat(error.branch()).isEqualTo("aether:other:default");
        });
        switches.change(Mode.OBSERVE);
        call.ask();
        Branch branch = branch("other");
        assertThat(branch.expired()).isEqualTo(2);
        assertThat(branch.limiter().snapshot().sent()).isEqualTo(2);
    }

    @Test
    void retriesAreATenthAndNoneWhileTheBranchIsMarked() {
        Passage call = call("http://other/");
        call.ask();
        for (int i = 0; i < 10; i++) {
            assertThat(call.grantsRetry()).isTrue();
            call.ask();
        }
        assertThat(call.grantsRetry()).isFalse();
        switches.change(Mode.OBSERVE);
        assertThat(call.grantsRetry()).isTrue();
        switches.change(Mode.ON);
        Calls.overload(limits, "http://shop/");
        assertThat(call("http://shop/").grantsRetry()).isFalse();
        assertThat(call("http://shop/orders/1").grantsRetry()).isTrue();
    }

    @Test
    void theCallsOfARequestToABranchAreDecidedOnOnce() {
        Calls.overload(limits, "http://other/");
        ServerRequest first = new ServerRequest(new ServerLoad(), () -> now);
        RequestContext request = new RequestContext(Priority.BULK, RequestContext.NO_DEADLINE, 0, first);
        for (int i = 0; i < 4; i++) {
            limits.call(URI.create("http://other/"), new HttpHeaders(), request).ask(); // The first by BULK's floor.
        }
        assertThat(branch("other").heldBack(Priority.BULK)).isZero();
        Passage next = limits.call(URI.create("http://other/"), new HttpHeaders(), context(Priority.BULK));
        assertThatThrownBy(next::ask).isInstanceOf(BranchLimitedException.class);
        // Whoever goes on and on is asked again.
        now += 1000 * MILLI;
        Passage late = limits.call(URI.create("http://other/"), new HttpHeaders(), request);
        assertThatThrownBy(late::ask).isInstanceOf(BranchLimitedException.class);
    }
}

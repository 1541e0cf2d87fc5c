// SPDX-License-Identifier: Apache-2.0
package io.aether.starter.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.aether.core.limit.Priority;
import io.aether.core.limit.UserRank;
import io.aether.starter.context.ContextHeaders;
import io.aether.starter.context.IgnoredHeaders;
import io.aether.starter.context.IgnoredHeaders.Reason;
import io.aether.starter.context.RequestContext;
import io.aether.starter.server.HandlerPriorities.Handler;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.http.server.PathContainer;
import org.springframework.web.util.pattern.PathPattern;
import org.springframework.web.util.pattern.PathPatternParser;

class ArrivalsTests {

    private static final long NOW = 5;

    private final IgnoredHeaders ignored = new IgnoredHeaders();
    private final Map<String, String> headers = new HashMap<>();
    private final HandlerPriorities handlers = new HandlerPriorities();
    private Instant hour = Instant.parse("2026-11-30T10:59:59Z");
    private final Users users = new Users(() -> hour, "X-Customer");
    private final Arrivals trusting = arrivals(true);
    private final Arrivals ingress = arrivals(false);

    private Arrivals arrivals(boolean trust) {
        List<RouteRule> rules = List.of(
                new RouteRule(pattern("/reports/**"), Priority.BULK, 0),
                new RouteRule(pattern("/timed"), null, TimeUnit.MILLISECONDS.toNanos(100)),
                new RouteRule(pattern("/both/{id}"), Priority.DEGRADED, TimeUnit.MILLISECONDS.toNanos(50)));
        Arrivals.Settings settings = new Arrivals.Settings(
                trust, Priority.BEST_EFFORT, TimeUnit.SECONDS.toNanos(30), rules, List.of("/actuator", "/health"));
        return new Arrivals(settings, handlers, users, ignored);
    }

    private static PathPattern pattern(String path) {
        return PathPatternParser.defaultInstance.parse(path);
    }

    private RequestContext arrive(Arrivals at, String path) {
        return arrive(at, "GET", path);
    }

    private RequestContext arrive(Arrivals at, String method, String path) {
        ServerRequest request = new ServerRequest(new ServerLoad(), () -> NOW);
        return at.arrive(request, method, headers::get, () -> PathContainer.parsePath(path), NOW);
    }

    @ParameterizedTest
    @CsvSource({
        "/other,    , BEST_EFFORT",
        "/other,    critical, CRITICAL",
        "/other,    BULK, BULK",
        "/other,    silly, BEST_EFFORT",
        "/reports/x,, BULK",
        "/reports/x,critical, BULK",
        "/both/7,   critical, DEGRADED",
        "/both/7,   bulk, BULK",
        "/timed,    , BEST_EFFORT",
    })
    void ofTheRuleAndTheHeaderTheLowerCounts(String path, @Nullable String header, Priority expected) {
        if (header != null) {
            headers.put(ContextHeaders.PRIORITY, header);
        }
        assertThat(arrive(trusting, path).priority()).isEqualTo(expected);
    }

    @Test
    void fromTheOutsideNothingIsBelievedAndEachHeaderCounted() {
        headers.put(ContextHeaders.PRIORITY, "critical");
        headers.put(ContextHeaders.DEADLINE, "1");
        headers.put(ContextHeaders.USER, "1");
        headers.put("X-Customer", "anna");
        RequestContext got = arrive(ingress, "/other");
        assertThat(got.priority()).isEqualTo(Priority.BEST_EFFORT);
        assertThat(got.remainingNanos(NOW)).isEqualTo(TimeUnit.SECONDS.toNanos(30));
        assertThat(got.userRank()).isEqualTo(users.rank("anna"));
        assertThat(ignored.total(Reason.UNTRUSTED)).isEqualTo(3);
    }

    @Test
    void theEarliestDeadlineCounts() {
        assertThat(millis(arrive(trusting, "/other"))).isEqualTo(30_000);
        assertThat(millis(arrive(trusting, "/timed"))).isEqualTo(100);
        headers.put(ContextHeaders.DEADLINE, "70");
        assertThat(millis(arrive(trusting, "/timed"))).isEqualTo(70);
        assertThat(millis(arrive(trusting, "/both/1"))).isEqualTo(50);
    }

    private static long millis(RequestContext context) {
        return TimeUnit.NANOSECONDS.toMillis(context.remainingNanos(NOW));
    }

    @Test
    void aUserHasOneRankInAnHourWhoeverAsks() {
        headers.put("X-Customer", "anna");
        float rank = arrive(ingress, "/other").userRank();
        assertThat(rank).isPositive();
        hour = Instant.parse("2026-11-30T10:00:00Z");
        assertThat(arrive(trusting, "/reports/x").userRank()).isEqualTo(rank);
        hour = Instant.parse("2026-11-30T11:00:00Z");
        assertThat(arrive(trusting, "/other").userRank()).isNotEqualTo(rank);
        headers.put(ContextHeaders.USER, "8388608"); // Whom a caller ranked keeps it.
        assertThat(arrive(trusting, "/other").userRank()).isEqualTo(0.5f);
    }

    @Test
    void whoHasNoNameIsNobodyUntilHeIsIdentified() {
        RequestContext nobody = arrive(trusting, "/other");
        assertThat(nobody.userRank()).isEqualTo(UserRank.NOBODY);
        assertThat(trusting.identified(nobody, "")).isSameAs(nobody);
        assertThat(trusting.identified(nobody, "anna").userRank()).isEqualTo(users.rank("anna"));
        RequestContext ranked = nobody.withUserRank(0.5f);
        assertThat(trusting.identified(ranked, "anna")).isSameAs(ranked);
    }

    @ParameterizedTest
    @CsvSource({
        "GET,  /orders/17,     BULK",
        "POST, /orders/17,     BEST_EFFORT",
        "GET,  /orders/urgent, BEST_EFFORT",
        "GET,  /orders/paid,   CRITICAL",
        "GET,  /else,          BEST_EFFORT",
    })
    void annotationsOfTheMostSpecificHandlerCount(String method, String path, Priority expected) {
        handlers.learn(List.of(
                new Handler(pattern("/orders/{id}"), Set.of("GET", "HEAD"), Priority.BULK),
                new Handler(pattern("/orders/{id}"), Set.of("POST"), null),
                new Handler(pattern("/orders/urgent"), Set.of(), null),
                new Handler(pattern("/orders/paid"), Set.of(), Priority.CRITICAL)));
        assertThat(arrive(trusting, method, path).priority()).isEqualTo(expected);
    }

    @Test
    void theOperatorOverrulesTheAnnotation() {
        handlers.learn(List.of(new Handler(pattern("/reports/daily"), Set.of(), Priority.CRITICAL)));
        assertThat(arrive(trusting, "/reports/daily").priority()).isEqualTo(Priority.BULK);
    }

    @Test
    void aGatewaysRouteCountsLikeARuleButNotMoreThanOne() {
        RequestContext plain = arrive(ingress, "/other");
        assertThat(ingress.routed(plain, Priority.CRITICAL, 0, NOW).priority()).isEqualTo(Priority.CRITICAL);
        assertThat(ingress.routed(plain, null, 0, NOW)).isSameAs(plain);
        assertThat(ingress.routed(arrive(ingress, "/reports/x"), Priority.CRITICAL, 0, NOW)
                        .priority())
                .isEqualTo(Priority.BULK);
        assertThat(millis(ingress.routed(plain, null, TimeUnit.MILLISECONDS.toNanos(20), NOW)))
                .isEqualTo(20);
        headers.put(ContextHeaders.PRIORITY, "bulk");
        assertThat(trusting.routed(arrive(trusting, "/other"), Priority.CRITICAL, 0, NOW)
                        .priority())
                .isEqualTo(Priority.BULK);
    }

    @ParameterizedTest
    @CsvSource({
        "/actuator, true",
        "/actuator/health, true",
        "/actuators, false",
        "/health, true",
        "/, false",
        "'', false"
    })
    void someAreNoneOfOurBusiness(String path, boolean exempt) {
        assertThat(trusting.exempt(path)).isEqualTo(exempt);
    }

    @Test
    void annotationsAreFoundOnMethodsClassesAndInterfaces() throws Exception {
        assertThat(HandlerPriorities.annotated(Reports.class.getMethod("all"), Reports.class))
                .isEqualTo(Priority.BULK);
        assertThat(HandlerPriorities.annotated(Reports.class.getMethod("one"), Reports.class))
                .isEqualTo(Priority.DEGRADED);
        assertThat(HandlerPriorities.annotated(Object.class.getMethod("toString"), Object.class))
                .isNull();
    }

    interface Contract {
        @RequestPriority(Priority.DEGRADED)
        void one();
    }

    @RequestPriority(Priority.BULK)
    static class Reports implements Contract {
        public void all() {}

        @Override
        public void one() {}
    }
}

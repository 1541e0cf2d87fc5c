// SPDX-License-Identifier: Apache-2.0
package io.aether.starter.limit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.aether.core.limit.LimitLaw;
import io.aether.core.limit.LimitSettings;
import io.aether.core.limit.Priority;
import io.aether.core.pick.Mode;
import io.aether.starter.context.IgnoredHeaders;
import io.github.resilience4j.ratelimiter.RateLimiter;
import io.github.resilience4j.ratelimiter.RateLimiterRegistry;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;

/** What a call meets on its way through the limiters, at times that the test decides. */
class BranchLimitsTests {
    private static final long MILLI = 1_000_000;

    private long now = 5_000 * MILLI;
    private final RateLimiterRegistry registry = RateLimiterRegistry.ofDefaults();
    private final LimitSwitches switches = new LimitSwitches(Mode.ON, Map.of("free", Mode.OFF));
    private boolean marksGone;
    private final BranchLimits limits = limits(Map.of(
            "shop", new BranchLimits.Own(Map.of("orders", List.of("/orders/**")), false),
            "extra", new BranchLimits.Own(Map.of(), true)));

    private BranchLimits limits(Map<String, BranchLimits.Own> own) {
        LimitSettings settings = LimitSettings.defaults().withGrace(Duration.ZERO);
        BranchLimits.Marks marks = (service, branches) -> !marksGone;
        return new BranchLimits(switches, own, registry, settings, () -> now, marks, new IgnoredHeaders());
    }

    private Passage call(String url) {
        return Calls.call(limits, url);
    }

    private Branch branch(String service, String group) {
        return limits.all().stream()
                .filter(branch ->
                        branch.service().equals(service) && branch.group().equals(group))
                .findAny()
                .orElseThrow();
    }

    @Test
    void aRefusalLimitsItsOwnBranchAndNoOther() {
        Calls.overload(limits, "http://shop/orders/1");
        assertThatThrownBy(() -> call("http://shop/orders/2").ask())
                .isInstanceOfSatisfying(
                        BranchLimitedException.class,
                        error -> assertThat(error.branch()).isEqualTo("aether:shop:orders"));
        for (int i = 0; i < 100; i++) {
            call("http://shop/carts/1").ask();
            call("http://other/orders/1").ask();
        }
        assertThat(branch("shop", "orders").heldBack(Priority.CRITICAL)).isEqualTo(2);
        assertThat(branch("shop", "default").limiter().rate()).isEqualTo(LimitLaw.OPEN);
    }

    @Test
    void theRegistryHasThemByTheirNames() {
        call("http://shop/orders/1").ask();
        call("http://other").ask();
        assertThat(registry.getAllRateLimiters())
                .extracting(RateLimiter::getName)
                .containsExactlyInAnyOrder("aether:shop:orders", "aether:other:default");
    }

    @Test
    void observeSendsAllAndCountsWhatItWouldHaveHeldBack() {
        Calls.overload(limits, "http://other/");
        switches.change("other", Mode.OBSERVE);
        for (int i = 0; i < 50; i++) {
            Passage call = call("http://other/");
            call.ask();
            call.answered(HttpStatus.OK, new HttpHeaders());
            call.end();
        }
        Branch branch = branch("other", "default");
        assertThat(branch.heldBack(Priority.CRITICAL)).isGreaterThan(45);
        assertThat(branch.limiter().inFlight()).isLessThan(4);
        switches.change("other", Mode.ON);
        assertThatThrownBy(() -> call("http://other/").ask()).isInstanceOf(BranchLimitedException.class);
        switches.change("other", Mode.OFF);
        call("http://other/").ask();
    }

    @Test
    void whatIsOffHasNoLimiter() {
        Calls.overload(limits, "http://free/");
        call("http://free/").ask();
        assertThat(limits.all()).isEmpty();
        assertThat(registry.getAllRateLimiters()).isEmpty();
        switches.change("free", Mode.ON);
        Calls.overload(limits, "http://free/");
        assertThatThrownBy(() -> call("http://free/").ask()).isInstanceOf(BranchLimitedException.class);
    }

    @Test
    void aCallThatIsAnsweredAfterTheSwitchIsStillReported() {
        Passage call = call("http://other/");
        call.ask();
        switches.change(Mode.OFF);
        call.answered(HttpStatus.OK, new HttpHeaders());
        assertThat(branch("other", "default").limiter().inFlight()).isZero();
    }

    @Test
    void opensAgainWhenWhoToldOfMarksIsGone() {
        Calls.overload(limits, "http://other/");
        now += 50 * MILLI;
        limits.tick();
        assertThat(branch("other", "default").limiter().rate()).isNotEqualTo(LimitLaw.OPEN);
        marksGone = true;
        now += 50 * MILLI;
        limits.tick();
        assertThat(branch("other", "default").limiter().rate()).isEqualTo(LimitLaw.OPEN);
    }

    @Test
    void failsOpenWhenNobodyTicksOrTheClockLeaps() {
        Calls.overload(limits, "http://other/");
        now += 2_001 * MILLI;
        for (int i = 0; i < 100; i++) {
            call("http://other/").ask();
        }
        now -= 3_600_000 * MILLI;
        limits.tick();
        for (int i = 0; i < 3; i++) {
            call("http://other/").ask();
        }
    }

    @Test
    void servicesAreBounded() {
        for (int i = 0; i < BranchLimits.MOST_SERVICES + 100; i++) {
            call("http://host" + i + "/").ask();
        }
        assertThat(limits.all()).hasSize(BranchLimits.MOST_SERVICES);
        assertThat(limits.unlimitedTotal()).isEqualTo(100);
    }

    @Test
    void aWrongPatternIsNamedWithItsProperty() {
        Map<String, BranchLimits.Own> wrong =
                Map.of("shop", new BranchLimits.Own(Map.of("orders", List.of("orders/**")), false));
        assertThatThrownBy(() -> limits(wrong))
                .hasMessageContaining("aether.services.shop.limit.groups")
                .hasMessageContaining("orders/**");
    }

    @Test
    void aHostThatIsNoHostIsLimitedLikeAnyOther() {
        call("http://under_score/x").ask();
        assertThat(limits.all()).extracting(Branch::service).containsExactly("");
    }
}

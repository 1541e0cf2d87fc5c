// SPDX-License-Identifier: Apache-2.0
package io.aether.starter.observation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.aether.core.limit.LimitSettings;
import io.aether.core.pick.Fleet;
import io.aether.core.pick.Instance;
import io.aether.core.pick.InstanceClass;
import io.aether.core.pick.InstanceKey;
import io.aether.core.pick.KernelView;
import io.aether.core.pick.Mode;
import io.aether.core.pick.PickSettings;
import io.aether.starter.context.IgnoredHeaders;
import io.aether.starter.context.RequestContext;
import io.aether.starter.limit.BranchLimits;
import io.aether.starter.limit.DeadlinePassedException;
import io.aether.starter.limit.LimitSwitches;
import io.aether.starter.limit.Passage;
import io.github.resilience4j.ratelimiter.RateLimiterRegistry;
import io.micrometer.common.KeyValue;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;

/** What is told of a call, from its first attempt on. */
class CallKeysTests {

    private final LimitSwitches switches = new LimitSwitches(Mode.ON, Map.of("free", Mode.OFF));
    private final BranchLimits limits = new BranchLimits(
            switches,
            Map.of(),
            RateLimiterRegistry.ofDefaults(),
            LimitSettings.defaults(),
            () -> 1_000,
            BranchLimits.Marks.NONE,
            new IgnoredHeaders());
    private final List<Instance> instances =
            instances(new InstanceKey("shop", "http", "one", 8080), new InstanceKey("shop", "http", "fe80::2", 8081));

    private static List<Instance> instances(InstanceKey... keys) {
        Fleet fleet = new Fleet("shop", PickSettings.defaults(), () -> 1_000, bound -> 0, KernelView.NONE);
        fleet.update(List.of(keys));
        return fleet.instances();
    }

    @BeforeEach
    void somebodyWantsToKnow() {
        limits.note(instance -> instance == instances.get(0) ? InstanceClass.HOT : InstanceClass.COLD);
    }

    private Passage call(String url, RequestContext context) {
        return limits.call(URI.create(url), context);
    }

    private static String low(@Nullable Passage call) {
        return CallKeys.low(call).stream().map(KeyValue::getValue).collect(Collectors.joining(" "));
    }

    private static String high(Passage call) {
        return CallKeys.high(call).stream().map(KeyValue::getValue).collect(Collectors.joining(" "));
    }

    @Test
    void keysAreTheSameForAllCalls() {
        assertThat(CallKeys.low(null))
                .extracting(KeyValue::getKey)
                .containsExactlyElementsOf(CallKeys.low(call("http://shop/", RequestContext.NONE)).stream()
                        .map(KeyValue::getKey)
                        .toList());
        assertThat(low(null)).isEqualTo("none none none");
    }

    @Test
    void attemptsFollowEachOther() {
        Passage call = call("http://shop/", RequestContext.NONE);
        assertThat(low(call)).isEqualTo("none none off");
        call.ask();
        call.sentTo(instances.get(0));
        assertThat(low(call)).isEqualTo("1 hot passed");
        assertThat(high(call)).isEqualTo("one:8080");
        call.ask();
        assertThat(low(call)).isEqualTo("2 none passed");
        call.sentTo(instances.get(1));
        assertThat(low(call)).isEqualTo("2 cold passed");
        assertThat(high(call)).isEqualTo("fe80::2:8081");
        call.ask();
        call.sentTo(null);
        assertThat(low(call)).isEqualTo("more none passed");
        assertThat(high(call)).isEmpty();
    }

    @Test
    void ofTwoAttemptsBesideEachOtherTheOneIsToldThatAnswered() {
        Passage call = call("http://free/", RequestContext.NONE);
        call.ask();
        call.sentTo(instances.get(0));
        Passage beside = call.beside();
        beside.ask();
        beside.sentTo(instances.get(1));
        assertThat(low(call)).isEqualTo("1 hot off");
        beside.answered(HttpStatus.OK, new HttpHeaders());
        assertThat(low(call)).isEqualTo("hedge cold off");
    }

    @Test
    void whatTheLimiterSaysIsTold() {
        Passage late = call("http://shop/", RequestContext.NONE.withDeadline(1));
        assertThatThrownBy(late::ask).isInstanceOf(DeadlinePassedException.class);
        assertThat(low(late)).isEqualTo("1 none late");
        switches.change(Mode.OBSERVE);
        late.ask();
        assertThat(low(late)).isEqualTo("2 none spared");
    }

    @Test
    void nothingIsNotedWhileNobodyWantsToKnow() {
        BranchLimits unobserved = new BranchLimits(
                switches,
                Map.of(),
                RateLimiterRegistry.ofDefaults(),
                LimitSettings.defaults(),
                () -> 1_000,
                BranchLimits.Marks.NONE,
                new IgnoredHeaders());
        Passage call = unobserved.call(URI.create("http://shop/"), RequestContext.NONE);
        call.ask();
        call.sentTo(instances.get(0));
        assertThat(call.destination()).isNull();
    }
}

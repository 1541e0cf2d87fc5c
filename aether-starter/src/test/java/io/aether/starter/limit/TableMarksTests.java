// SPDX-License-Identifier: Apache-2.0
package io.aether.starter.limit;

import static org.assertj.core.api.Assertions.assertThat;

import io.aether.core.Dice;
import io.aether.core.limit.BranchLimiter;
import io.aether.core.limit.LimitLaw;
import io.aether.core.limit.LimitSettings;
import io.aether.core.limit.Priority;
import io.aether.core.pick.Fleet;
import io.aether.core.pick.Instance;
import io.aether.core.pick.InstanceKey;
import io.aether.core.pick.KernelView;
import io.aether.core.pick.Mode;
import io.aether.core.pick.PickSettings;
import io.aether.core.pick.Resolver;
import io.aether.core.table.EndpointHealth;
import io.aether.core.table.TableFile;
import io.aether.core.table.TableLayout;
import io.aether.core.table.TableSource;
import io.aether.core.table.TableState;
import io.aether.starter.context.IgnoredHeaders;
import io.aether.starter.context.RequestContext;
import io.github.resilience4j.ratelimiter.RateLimiterRegistry;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Marks from a real table file, at times that the test decides. */
class TableMarksTests {
    private static final long MILLI = 1_000_000;
    private static final long NETNS = 7;

    private long now = 60_000 * MILLI;
    private TableFile file;
    private TableSource source;
    private BranchLimits limits;
    private final EndpointHealth[] peers = {new EndpointHealth(), new EndpointHealth()};

    @BeforeEach
    void start(@TempDir Path directory) throws Exception {
        Path path = directory.resolve("health");
        file = TableFile.create(path, 64, now);
        source = new TableSource(path, () -> now, NETNS);
        source.refresh();
        KernelView kernel = KernelView.of(source, Resolver.LITERALS_ONLY);
        Fleet fleet = new Fleet("shop", PickSettings.defaults(), () -> now, Dice.threadLocal(), kernel);
        fleet.update(Set.of(
                new InstanceKey("shop", "http", "10.0.0.1", 1001), new InstanceKey("shop", "http", "10.0.0.1", 1002)));
        List<Instance> known = fleet.instances();
        TableMarks marks = new TableMarks(
                () -> now,
                () -> source.state() == TableState.LIVE,
                kernel,
                service -> service.equals("shop") ? known : List.of());
        LimitSettings settings = LimitSettings.defaults().withGrace(Duration.ZERO);
        limits = new BranchLimits(
                new LimitSwitches(Mode.ON, Map.of()),
                Map.of("shop", new BranchLimits.Own(Map.of("orders", List.of("/orders")), false)),
                RateLimiterRegistry.ofDefaults(),
                settings,
                () -> now,
                marks,
                new IgnoredHeaders());
    }

    private BranchLimiter limiter(String url) {
        Passage call = limits.call(URI.create(url), RequestContext.NONE);
        call.ask();
        call.end();
        return limits.all().stream()
                .filter(branch -> url.contains(branch.service())
                        && url.contains("orders") == branch.group().equals("orders"))
                .findAny()
                .orElseThrow()
                .limiter();
    }

    private void window(int peer, long ce, long ect) {
        now += 50 * MILLI;
        file.heartbeat(now);
        source.refresh();
        peers[peer].ce += ce;
        peers[peer].ect += ect;
        peers[peer].ecnTimeNanos = now;
        file.put(NETNS, TableFile.address("10.0.0.1", 1001 + peer), TableLayout.KIND_PEER, peers[peer]);
        limits.tick();
    }

    @Test
    void marksLimitAllGroupsOfTheServiceAndNoOther() {
        BranchLimiter plain = limiter("http://shop/");
        BranchLimiter orders = limiter("http://shop/orders");
        BranchLimiter other = limiter("http://else/");
        window(0, 1000, 5000); // What was before is not news.
        assertThat(plain.snapshot().marked()).isZero();
        window(0, 8, 2);
        assertThat(plain.rate()).isNotEqualTo(LimitLaw.OPEN);
        assertThat(orders.rate()).isNotEqualTo(LimitLaw.OPEN);
        assertThat(plain.snapshot().marked()).isEqualTo(8);
        assertThat(plain.snapshot().clean()).isEqualTo(2);
        assertThat(other.rate()).isEqualTo(LimitLaw.OPEN);
        assertThat(other.snapshot().marked()).isZero();
    }

    @Test
    void whatKernelsReportStandsForMarksWhereThereAreNone() {
        BranchLimiter limiter = limiter("http://shop/");
        for (int i = 0; i < 20; i++) {
            reported(limiter, 255, 0);
        }
        assertThat(limiter.rate()).as("one of two").isEqualTo(LimitLaw.OPEN);
        reported(limiter, 255, 255);
        assertThat(limiter.rate()).isNotEqualTo(LimitLaw.OPEN);
    }

    private void reported(BranchLimiter limiter, int first, int second) {
        now += 50 * MILLI;
        report(0, first);
        report(1, second);
        for (int answer = 0; answer < 5; answer++) {
            limiter.answered();
        }
        limits.tick();
    }

    private void report(int peer, int pressure) {
        peers[peer].pressure = pressure;
        peers[peer].reportTimeNanos = now;
        file.put(NETNS, TableFile.address("10.0.0.1", 1001 + peer), TableLayout.KIND_PEER, peers[peer]);
        file.heartbeat(now);
        source.refresh();
    }

    @Test
    void oneInstanceThatMarksIsTheBalancersBusiness() {
        BranchLimiter limiter = limiter("http://shop/");
        window(0, 0, 1);
        window(1, 0, 1);
        window(0, 0, 9);
        for (int i = 0; i < 20; i++) {
            window(1, 9, 1);
            window(0, 0, 2);
        }
        assertThat(limiter.rate()).isEqualTo(LimitLaw.OPEN);
        assertThat(limiter.snapshot().marked()).isZero();
        // Now the other one cannot take more either.
        window(0, 9, 0);
        window(1, 9, 0);
        assertThat(limiter.rate()).isNotEqualTo(LimitLaw.OPEN);
    }

    @Test
    void anInstanceThatAnswersNobodyHasNoSay() {
        BranchLimiter limiter = limiter("http://shop/");
        window(0, 0, 1);
        window(1, 0, 1);
        window(1, 0, 4);
        for (int i = 0; i < 60; i++) {
            window(0, 1, 0);
        }
        window(0, 9, 0);
        assertThat(limiter.rate()).isNotEqualTo(LimitLaw.OPEN);
    }

    @Test
    void opensWhenTheAgentDiesAndBelievesTheNextOne() {
        BranchLimiter limiter = limiter("http://shop/");
        window(0, 0, 1);
        window(0, 9, 0);
        assertThat(limiter.rate()).isNotEqualTo(LimitLaw.OPEN);
        now += 1_100 * MILLI;
        source.refresh();
        limits.tick();
        assertThat(limiter.rate()).isEqualTo(LimitLaw.OPEN);
        peers[0].ce = 0; // Another agent counts anew.
        peers[0].ect = 0;
        window(0, 0, 5);
        window(0, 9, 0);
        assertThat(limiter.rate()).isNotEqualTo(LimitLaw.OPEN);
        assertThat(limiter.tryAcquire(Priority.CRITICAL)).isTrue();
    }

    @Test
    void aPeerThatLeftTheTableStartsAnew() {
        BranchLimiter limiter = limiter("http://shop/");
        window(0, 0, 5);
        int slot = file.put(NETNS, TableFile.address("10.0.0.1", 1001), TableLayout.KIND_PEER, peers[0]);
        file.kind(slot, TableLayout.KIND_TOMBSTONE);
        now += 50 * MILLI;
        file.heartbeat(now);
        source.refresh();
        limits.tick();
        file.kind(slot, TableLayout.KIND_PEER);
        window(0, 500, 0);
        assertThat(limiter.rate()).isEqualTo(LimitLaw.OPEN);
        assertThat(limiter.snapshot().marked()).isZero();
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.aether.bench.sim.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.aether.bench.sim.Chance;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Each peer against what is published of it. */
class PeersTests {
    private static final long MILLI = 1_000_000L;
    private static final long SECOND = 1000 * MILLI;
    private static final Load IDLE = new Load(0, 2 * MILLI, 2 * MILLI, 0.5, 100, 0, 0);

    private final Chance dice = new Chance(1);

    private static <P extends Policy> P listed(P policy, int servers) {
        policy.list(IntStream.range(0, servers).toArray());
        return policy;
    }

    /** Answers one request to each server, 10 ms by default. */
    private static void answer(Policy policy, int server, long latency, long now, Ending ending) {
        policy.done(server, now - latency, now, ending, IDLE);
    }

    private static double share(Policy policy, int server, int picks, long now) {
        int count = 0;
        for (int i = 0; i < picks; i++) {
            int chosen = policy.pick(now);
            count += chosen == server ? 1 : 0;
            policy.done(chosen, now - MILLI, now, Ending.OK, null);
        }
        return (double) count / picks;
    }

    @Test
    void roundRobinGivesAllTheSame() {
        Policy policy = listed(new RoundRobin(dice), 5);
        int[] counts = new int[5];
        IntStream.range(0, 500).forEach(i -> counts[policy.pick(i)]++);
        assertThat(counts).containsOnly(100);
    }

    @Test
    void finaglesCostJumpsUpAndDecays() {
        FinagleEwma.Cost cost = new FinagleEwma.Cost();
        cost.observe(10 * MILLI, SECOND);
        cost.observe(300 * MILLI, SECOND);
        assertThat(cost.nanos).isEqualTo(300.0 * MILLI);
        cost.observe(0, SECOND + (long) FinagleEwma.TAU_NANOS);
        assertThat(cost.nanos).isCloseTo(300 * MILLI / Math.E, within(1.0 * MILLI));
    }

    @Test
    void finagleSendsANewServerOneRequestOnly() {
        FinagleEwma policy = listed(new FinagleEwma(dice), 2);
        int first = policy.pick(SECOND);
        int second = policy.pick(SECOND);
        assertThat(second).isNotEqualTo(first);
        answer(policy, first, 10 * MILLI, SECOND, Ending.OK);
        assertThat(policy.pick(SECOND)).isEqualTo(first);
        assertThat(policy.pick(SECOND)).isEqualTo(first);
    }

    @Test
    void linkerdsFailuresAreNotFast() {
        LinkerdEwma policy = listed(new LinkerdEwma(dice), 2);
        for (int i = 0; i < 20; i++) {
            int chosen = policy.pick(SECOND);
            answer(policy, chosen, MILLI, SECOND, chosen == 0 ? Ending.FAILED : Ending.OK);
        }
        assertThat(share(policy, 0, 1000, SECOND)).isZero();
        assertThat(share(listed(new LeastRequest(dice), 2), 0, 1000, SECOND)).isCloseTo(0.5, within(0.05));
    }

    @Test
    void dubbosFormula() {
        DubboAdaptive.Metrics metrics = new DubboAdaptive.Metrics();
        metrics.cpu = 0.5;
        metrics.ewmaMillis = 16;
        metrics.inFlight = 2;
        metrics.requests = 99;
        metrics.successes = 90;
        assertThat(DubboAdaptive.formula(metrics)).isCloseTo(0.5 * 5 * 3 / (90.0 / 100 * 100 + 1), within(1e-9));
    }

    @Test
    void orcaWeightsFollowWorkPerUtilisationAfterTheBlackout() {
        OrcaWeights policy = listed(new OrcaWeights(dice), 2);
        for (long now = SECOND; now < 30 * SECOND; now += SECOND / 10) {
            policy.done(0, now, now, Ending.OK, new Load(0, 0, 0, 0.8, 100, 0, 0));
            policy.done(1, now, now, Ending.OK, new Load(0, 0, 0, 0.4, 100, 0, 0));
            if (now == 5 * SECOND) {
                assertThat(policy.weight(0)).isEqualTo(policy.weight(1));
            }
            policy.pick(now);
        }
        assertThat(share(policy, 1, 3000, 30 * SECOND)).isCloseTo(2.0 / 3, within(0.01));
        policy.done(0, 0, 31 * SECOND, Ending.OK, new Load(0, 0, 0, 0.4, 100, 100, 0));
        policy.pick(32 * SECOND);
        assertThat(policy.weight(0)).as("errors as utilisation").isCloseTo(100 / 1.4, within(0.01));
    }

    @Test
    void c3PunishesQueuesByTheirCube() {
        C3.Stats stats = new C3.Stats();
        stats.hear(5 * MILLI, new Load(3, 0, 2 * MILLI, 0, 0, 0, 0));
        stats.outstanding = 1;
        double q = 1 + 1 * 10 + 3;
        assertThat(stats.score(10)).isCloseTo(5 * MILLI - 2 * MILLI + q * q * q * 2 * MILLI, within(1.0));
    }

    @Test
    void prequalsReuseBudget() {
        assertThat(Prequal.budget(100)).isCloseTo(1.32, within(0.01));
        assertThat(Prequal.budget(4)).as("undefined in the paper").isEqualTo(5);
    }

    @Test
    void prequalTakesTheFastestOfTheColdAndNeverAHotOne() {
        List<Consumer<Load>> asked = new ArrayList<>();
        List<Integer> servers = new ArrayList<>();
        Prequal policy = listed(
                new Prequal(dice, () -> SECOND, (server, answer) -> {
                    servers.add(server);
                    asked.add(answer);
                }),
                100);
        for (int i = 0; i < 20; i++) {
            policy.pick(SECOND);
        }
        assertThat(asked).hasSize(60);
        // The fastest has ten times the others' requests in flight: hot.
        for (int i = 40; i < 56; i++) {
            asked.get(i).accept(new Load(i == 40 ? 20 : 2, (i == 40 ? 1 : i) * MILLI, MILLI, 0, 0, 0, 0));
        }
        assertThat(policy.pick(SECOND)).isEqualTo(servers.get(41));
    }

    @Test
    void prequalAsksThreePerRequestAndNobodyTwice() {
        List<Integer> servers = new ArrayList<>();
        Prequal policy = listed(new Prequal(dice, () -> SECOND, (server, answer) -> servers.add(server)), 3);
        policy.pick(SECOND);
        assertThat(servers).hasSize(3).doesNotHaveDuplicates();
    }
}

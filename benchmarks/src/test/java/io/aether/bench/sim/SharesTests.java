// SPDX-License-Identifier: Apache-2.0
package io.aether.bench.sim;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the law does to traffic, scenario by scenario: short runs of those that the benchmark reports. */
class SharesTests {
    private static final List<Arm> TOLD = List.of(Arm.AETHER_APPLICATION, Arm.AETHER_KERNEL);
    private static final List<Arm> UNTOLD = List.of(Arm.AETHER_APPLICATION_UNTOLD, Arm.AETHER_KERNEL_UNTOLD);
    private static final List<Arm> OURS =
            Stream.concat(TOLD.stream(), UNTOLD.stream()).toList();

    private static Scenario scenario(String name) {
        return Scenarios.all().stream()
                .filter(scenario -> scenario.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    private static double share(Scenario scenario, Tally tally) {
        return 100 * tally.share(0, scenario.affected());
    }

    /** Most that those may get with whom something is wrong, in percent; an even share in brackets. */
    @ParameterizedTest
    @CsvSource({
        "one-of-4-slow, 1", // (25)
        "two-of-4-slow, 4", // (50)
        "half-twice-as-slow, 40", // (50)
        "low-rate-one-slow, 1", // (10)
        "pause-300ms, 6", // (25)
        "pause-300ms-low-rate, 4", // (33)
        "squeezed-link, 4", // (25)
        "restart-cold, 4", // (25)
        "fails-10, 2", // (25)
        "fails-50, 1", // (25)
        "fails-100, 0.5", // (25)
    })
    void theTroubledGetLittle(String name, double most) {
        Scenario scenario = scenario(name);
        for (Arm arm : OURS) {
            Tally tally = scenario.run(arm, 5, true);
            assertThat(share(scenario, tally)).as("%s %s", name, arm.label()).isLessThan(most);
        }
    }

    /**
     * How uneven a healthy fleet's traffic may be from one 100 ms to the next: less than at random, which is near 1. Those
     * that are told of load follow it, as far as a peer does that is told of it too.
     */
    @ParameterizedTest
    @CsvSource({"healthy-3x5", "healthy-shared-cpu-3x5-bursts", "healthy-4x4-70", "healthy-10x10-70", "healthy-20x60-70"
    })
    void equalsShareMoreEvenlyThanAtRandom(String name) {
        double random = scenario(name).run(Arm.RANDOM, 5, true).herd();
        for (Arm arm : UNTOLD) {
            assertThat(herd(name, arm)).as("%s %s", name, arm.label()).isLessThan(random);
        }
        double peer = Math.max(random, herd(name, Arm.C3));
        for (Arm arm : TOLD) {
            assertThat(herd(name, arm)).as("%s %s", name, arm.label()).isLessThan(1.1 * peer);
        }
    }

    private static double herd(String name, Arm arm) {
        return scenario(name).run(arm, 5, true).herd();
    }

    @Test
    void aHealthyFleetIsNotSlowerThanWithRoundRobin() {
        for (String name : List.of("healthy-3x5", "healthy-4x4-70", "healthy-10x10-90")) {
            Tally roundRobin = scenario(name).run(Arm.ROUND_ROBIN, 5, true);
            for (Arm arm : OURS) {
                Tally tally = scenario(name).run(arm, 5, true);
                for (double percentile : new double[] {50, 90, 99}) {
                    assertThat(tally.millis(percentile))
                            .as("%s %s P%s", name, arm.label(), percentile)
                            .isLessThan(1.03 * roundRobin.millis(percentile));
                }
            }
        }
    }

    /** Where each of many clients sees little itself, the servers' words are what tells who is busy (decision 98). */
    @ParameterizedTest
    @CsvSource({"antagonists-20x60, 0.7", "healthy-20x60-90, 0.85"})
    void clientsThatAreToldOfLoadWaitLess(String name, double times) {
        Scenario scenario = scenario(name);
        double alone = p99(scenario, Arm.AETHER_APPLICATION_UNTOLD);
        double peer = p99(scenario, Arm.C3);
        for (Arm arm : TOLD) {
            double told = p99(scenario, arm);
            assertThat(told).as("%s %s", name, arm.label()).isLessThan(times * alone);
            assertThat(told).as("%s %s", name, arm.label()).isLessThan(1.15 * peer);
        }
    }

    /** In ms, the mean of three short runs: where some servers come and go by chance, one run says little. */
    private static double p99(Scenario scenario, Arm arm) {
        return LongStream.rangeClosed(5, 7)
                .mapToDouble(seed -> scenario.run(arm, seed, true).millis(99))
                .average()
                .orElseThrow();
    }

    /** All clients hear the same words, a moment old: where servers differ they must not all run to the quietest. */
    @ParameterizedTest
    @CsvSource({"antagonists-20x60", "two-of-4-slow"})
    void whatAllAreToldHerdsThemNoMoreThanTheirOwnView(String name) {
        double alone = herd(name, Arm.AETHER_APPLICATION_UNTOLD);
        assertThat(herd(name, Arm.AETHER_APPLICATION)).isLessThan(1.1 * alone + 0.1);
    }

    @Test
    void whoRecoversGetsItsShareBack() {
        Scenario scenario = scenario("recovers");
        for (Arm arm : OURS) {
            assertThat(share(scenario, scenario.run(arm, 5, false)))
                    .as(arm.label())
                    .isBetween(12.0, 25.0);
        }
    }

    @Test
    void aLyingKernelTakesNoMoreThanOneServerAway() {
        Scenario scenario = scenario("kernel-lies");
        double honest = p99(scenario, Arm.AETHER_APPLICATION);
        assertThat(p99(scenario, Arm.AETHER_KERNEL)).isLessThan(1.1 * honest);
        Tally lies = scenario.run(Arm.AETHER_KERNEL, 5, true);
        for (int i = 1; i < 10; i++) {
            assertThat(100 * lies.share(i, i + 1)).as("server %d", i).isBetween(8.0, 14.0);
        }
        assertThat(lies.errorPercent()).isZero();
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.aether.core.pick;

import static org.assertj.core.api.Assertions.assertThat;

import io.aether.core.pick.Simulation.Result;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Two zones of three servers with four workers of 2 ms each: what ours can do is 6,000 requests a second. */
class ZoneTests {

    private static final int NEAR = 3;
    private static final double CAPACITY = 6_000;

    private final Simulation simulation = simulation();

    private static Simulation simulation() {
        Simulation simulation = new Simulation(2 * NEAR, 4, 2, 42);
        List<InstanceKey> keys =
                simulation.servers.stream().map(server -> server.key).toList();
        simulation.fleet.update(keys, key -> keys.indexOf(key) >= NEAR);
        return simulation;
    }

    private static double elsewhere(Result result) {
        double share = 0;
        for (int i = NEAR; i < 2 * NEAR; i++) {
            share += result.share(i);
        }
        return share;
    }

    @Test
    void requestsStayNearbyWhileThatIsWell() {
        for (double load : new double[] {0.05, 0.3, 0.6}) {
            simulation.run(load * CAPACITY, 10);
            Result result = simulation.run(load * CAPACITY, 20);
            assertThat(elsewhere(result)).as("%s at %s", result, load).isLessThan(0.03);
        }
    }

    @Test
    void whatIsTooMuchSpillsOverAndNoMore() {
        simulation.run(1.3 * CAPACITY, 10);
        Result result = simulation.run(1.3 * CAPACITY, 20);
        assertThat(elsewhere(result)).as("%s", result).isBetween(0.2, 0.5);
        assertThat(result.percentile(0.99)).as("%s", result).isLessThan(60);
    }

    @Test
    void itIsNotAllOrNothing() {
        simulation.servers.get(0).meanMillis = 20;
        simulation.run(0.5 * CAPACITY, 10);
        Result result = simulation.run(0.5 * CAPACITY, 20);
        // One of three is ten times slower: the other two can do it nearly alone.
        assertThat(result.share(0)).as("%s", result).isLessThan(0.05);
        assertThat(elsewhere(result)).as("%s", result).isLessThan(0.3);
    }

    @Test
    void aZoneThatIsDownIsLeft() {
        simulation.run(0.3 * CAPACITY, 10);
        simulation.servers.subList(0, NEAR).forEach(server -> server.failing = true);
        simulation.run(0.3 * CAPACITY, 5);
        Result result = simulation.run(0.3 * CAPACITY, 30);
        assertThat(elsewhere(result)).as("%s", result).isGreaterThan(0.97);
        assertThat(result.errorRate()).as("%s", result).isLessThan(0.01);

        simulation.servers.forEach(server -> server.failing = false);
        simulation.run(0.3 * CAPACITY, 60);
        Result back = simulation.run(0.3 * CAPACITY, 20);
        assertThat(elsewhere(back)).as("%s", back).isLessThan(0.05);
    }

    @Test
    void withNobodyNearbyAllAreAlike() {
        simulation.fleet.update(
                simulation.servers.stream().map(server -> server.key).toList(), key -> true);
        Result result = simulation.run(0.3 * CAPACITY, 20);
        for (int i = 0; i < 2 * NEAR; i++) {
            assertThat(result.share(i)).as("%s", result).isBetween(0.1, 0.25);
        }
    }

    @Test
    void aRetryLeavesItsInstanceAndStaysNearby() {
        simulation.run(100, 5);
        Instance failed = simulation.fleet.instances().get(0);
        Fleet pair =
                new Fleet("s", PickSettings.defaults(), () -> simulation.now, new Random(1)::nextInt, KernelView.NONE);
        List<InstanceKey> two = List.of(simulation.servers.get(0).key, simulation.servers.get(1).key);
        pair.update(two, two.get(1)::equals);
        int elsewhere = 0;
        for (int i = 0; i < 1000; i++) {
            Instance other = simulation.fleet.pick(Signals.APPLICATION, failed);
            assertThat(other).isNotSameAs(failed);
            assertThat(pair.pick(Signals.APPLICATION, pair.instances().get(1)))
                    .isSameAs(pair.instances().get(0));
            elsewhere += simulation.fleet.instances().indexOf(other) >= NEAR ? 1 : 0;
        }
        assertThat(elsewhere).isLessThan(50);
    }
}

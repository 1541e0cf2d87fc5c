// SPDX-License-Identifier: Apache-2.0
package io.aether.core.pick;

import static io.aether.core.pick.Simulation.MILLI;
import static io.aether.core.pick.Simulation.SECOND;
import static org.assertj.core.api.Assertions.assertThat;

import io.aether.core.pick.Simulation.Result;
import io.aether.core.table.EndpointHealth;
import io.aether.core.table.TableLayout;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the law does to traffic: the only thing about a balancer that its users see. */
class TrafficShareTests {
    private static final long SEED = 20261129;
    /** Which instance is unlucky for a while is chance, and a single run can be. */
    private static final int RUNS = 3;

    /** Rates are per server: light, half and heavy load of four workers of 2 ms. */
    @ParameterizedTest
    @CsvSource({"3,20", "4,100", "4,1000", "4,1400", "10,100", "10,1400"})
    void healthyInstancesShareEvenlyAndNobodyWaitsLonger(int count, int rate) {
        double least = 0;
        double most = 0;
        for (int run = 0; run < RUNS; run++) {
            Result aether = new Simulation(count, 4, 2, SEED + run).run(count * rate, 60);
            Simulation other = new Simulation(count, 4, 2, SEED + run);
            Result roundRobin = other.run(count * rate, 60, other::roundRobin);

            double[] shares = IntStream.range(0, count)
                    .mapToDouble(i -> aether.share(i) * count)
                    .sorted()
                    .toArray();
            least += shares[0] / RUNS;
            most += shares[count - 1] / RUNS;
            assertThat(shares[0]).as("%s", aether).isGreaterThan(0.4);
            assertThat(aether.percentile(0.5)).isLessThan(roundRobin.percentile(0.5) * 1.05);
            assertThat(aether.percentile(0.99)).isLessThan(roundRobin.percentile(0.99) * 1.1);
        }
        assertThat(least)
                .as("share of the one with the least, mean of the runs")
                .isGreaterThan(0.75);
        assertThat(most).as("share of the one with the most, mean of the runs").isLessThan(1.3);
    }

    @Test
    void oneTenTimesSlowerGetsLittle() {
        Simulation simulation = new Simulation(4, 4, 2, SEED);
        simulation.servers.get(0).meanMillis = 20;
        Result result = simulation.run(200, 60);

        assertThat(result.share(0)).as("%s", result).isLessThan(0.02);
        assertThat(result.percentile(0.99)).isLessThan(20);
    }

    @Test
    void twoOfFourTenTimesSlowerGetLittle() {
        Simulation simulation = new Simulation(4, 4, 2, SEED);
        simulation.servers.get(1).meanMillis = 20;
        simulation.servers.get(2).meanMillis = 20;
        Result result = simulation.run(200, 60);

        assertThat(result.share(1) + result.share(2)).as("%s", result).isLessThan(0.04);
    }

    @Test
    void oneThatFailsAtOnceLosesItsTrafficAndGetsItBack() {
        Simulation simulation = new Simulation(4, 4, 2, SEED);
        simulation.servers.get(0).failing = true;
        Result broken = simulation.run(200, 60);
        assertThat(broken.errorRate()).as("%s", broken).isLessThan(0.003);
        assertThat(broken.errors()).isPositive();

        simulation.servers.get(0).failing = false;
        simulation.run(200, 60);
        Result repaired = simulation.run(200, 60);
        assertThat(repaired.share(0)).as("%s", repaired).isGreaterThan(0.15);
    }

    @Test
    void allThatFailAreStillTried() {
        Simulation simulation = new Simulation(4, 4, 2, SEED);
        simulation.servers.forEach(server -> server.failing = true);
        Result broken = simulation.run(200, 10);
        assertThat(broken.picks()).as("%s", broken).doesNotContain(0);

        simulation.servers.forEach(server -> server.failing = false);
        Result repaired = simulation.run(200, 60);
        assertThat(repaired.errors()).isZero();
    }

    @Test
    void oneThatHangsHoldsFewRequests() {
        Simulation simulation = new Simulation(4, 64, 2, SEED);
        simulation.run(200, 5);
        simulation.servers.get(0).pausedUntil = simulation.now + 10 * SECOND;
        Result result = simulation.run(200, 10);

        assertThat(result.picks()[0]).as("%s", result).isLessThan(8);
    }

    @Test
    void aNewOneGetsOneRequestUntilItAnswers() {
        Simulation simulation = new Simulation(5, 64, 2, SEED);
        simulation.list(4);
        simulation.run(200, 5);
        simulation.list(5);
        simulation.servers.get(4).pausedUntil = simulation.now + SECOND;
        Result starting = simulation.run(200, 0.9);
        assertThat(starting.picks()[4]).as("%s", starting).isEqualTo(1);

        simulation.run(200, 60);
        Result settled = simulation.run(200, 60);
        assertThat(settled.share(4)).as("%s", settled).isBetween(0.1, 0.3);
    }

    @Test
    void oneThatWasSlowLongAgoIsForgiven() {
        Simulation simulation = new Simulation(4, 4, 2, SEED);
        simulation.servers.get(0).meanMillis = 20;
        simulation.run(200, 20);
        simulation.servers.get(0).meanMillis = 2;
        simulation.run(200, 60);
        Result result = simulation.run(200, 60);

        assertThat(result.share(0)).as("%s", result).isGreaterThan(0.15);
    }

    @Test
    void pausesTouchFewRequests() {
        Supplier<Simulation> pausing = () -> {
            Simulation simulation = new Simulation(4, 64, 2, SEED);
            for (int i = 0; i < 30; i++) {
                simulation.at(
                        simulation.now + i * 2 * SECOND,
                        () -> simulation.servers.get(0).pausedUntil = simulation.now + 300 * MILLI);
            }
            return simulation;
        };
        Result aether = pausing.get().run(200, 60);
        Simulation other = pausing.get();
        Result roundRobin = other.run(200, 60, other::roundRobin);

        assertThat(roundRobin.percentile(0.99)).isGreaterThan(100);
        assertThat(aether.percentile(0.99)).as("%s", aether).isLessThan(15);
    }

    @Test
    void aStallTheKernelSeesIsAvoidedAtOnce() {
        Simulation simulation = kernel(new Simulation(4, 64, 2, SEED));
        simulation.servers.get(0).kernel = report(0, TableLayout.FLAG_STALLED, 0, 0);

        assertThat(simulation.run(200, 10).picks()[0]).isZero();
    }

    @Test
    void staleSignalsAreNeutral() {
        Simulation simulation = kernel(new Simulation(4, 4, 2, SEED));
        simulation.servers.get(0).kernel =
                report(SECOND, TableLayout.FLAG_STALLED | TableLayout.FLAG_GONE, 90_000, 255);
        Result stale = simulation.run(200, 30);
        Result without = new Simulation(4, 4, 2, SEED).run(200, 30);

        assertThat(stale.picks()).isEqualTo(without.picks());
    }

    @Test
    void lyingSignalsAreBounded() {
        Simulation simulation = kernel(new Simulation(4, 4, 2, SEED));
        // 6000 requests a second keep two of eight workers per server busy: there is load to compare.
        simulation.servers.get(0).kernel = report(0, 0, 4_000_000_000L, 255);
        Result result = simulation.run(6000, 10);

        assertThat(result.share(0)).as("%s", result).isGreaterThan(0.01);
    }

    @Test
    void aLostAgentLeavesTheLawOfTheApplication() {
        Simulation simulation = kernel(new Simulation(4, 4, 2, SEED));
        Result lost = simulation.run(200, 30);
        Result without = new Simulation(4, 4, 2, SEED).run(200, 30);

        assertThat(lost.picks()).isEqualTo(without.picks());
    }

    private static Simulation kernel(Simulation simulation) {
        simulation.signals = Signals.KERNEL;
        return simulation;
    }

    private static java.util.function.BiConsumer<EndpointHealth, Long> report(
            long age, int flags, long runQueueMicros, int pressure) {
        return (health, now) -> {
            health.reportTimeNanos = now - age;
            health.flags = flags;
            health.runQueueMicros = runQueueMicros;
            health.stallAgeMicros = 0;
            health.sojournMicros = 0;
            health.throttledPermille = 0;
            health.pressure = pressure;
        };
    }
}

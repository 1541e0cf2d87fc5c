// SPDX-License-Identifier: Apache-2.0
package io.aether.bench.sim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.aether.core.table.EndpointHealth;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The simulated machinery against theory, and against what the real one was measured to do. */
class WorldTests {
    private static Tally run(Plan plan, Arm arm, double seconds) {
        return new World(plan, arm, 7).run(1, seconds, (world, length) -> {});
    }

    @Test
    void theSameSeedGivesTheSameRun() {
        Tally first = run(new Plan().load(0.7), Arm.AETHER_KERNEL, 20);
        Tally second = run(new Plan().load(0.7), Arm.AETHER_KERNEL, 20);
        assertThat(first.received()).isEqualTo(second.received());
        assertThat(first.millis(99)).isEqualTo(second.millis(99));
    }

    @Test
    void everyPolicyMeetsTheSameArrivals() {
        long requests = run(new Plan().load(0.5), Arm.ROUND_ROBIN, 10).requests();
        for (Arm arm : Arm.values()) {
            assertThat(run(new Plan().load(0.5), arm, 10).requests()).isEqualTo(requests);
        }
    }

    /** Pollaczek and Khinchine: the mean time in a queue of one worker at half load is that of the work itself. */
    @Test
    void oneWorkerQueuesAsTheorySays() {
        Plan plan = new Plan().fleet(1, 1).work(1, 10, 1).load(0.5);
        plan.timeout = Duration.ZERO;
        double network = 0.3;
        assertThat(run(plan, Arm.RANDOM, 5000).meanMillis() - network).isCloseTo(20, within(1.0));
    }

    /**
     * Eleven servers, one of them at 2 s for half of the time, given up after 1 s: 95 % success with round robin, 99 %
     * with the least loaded, 99.9 % with peak EWMA (Linkerd's published comparison, 2016).
     */
    @Test
    void successRatesArePublishedOnes() {
        assertThat(slowBackend(Arm.ROUND_ROBIN)).isCloseTo(4.5, within(0.5));
        assertThat(slowBackend(Arm.LEAST_REQUEST)).isBetween(0.3, 2.0);
        assertThat(slowBackend(Arm.FINAGLE)).isLessThan(0.2);
        assertThat(slowBackend(Arm.AETHER_APPLICATION)).isLessThan(0.2);
    }

    private static double slowBackend(Arm arm) {
        Plan plan = new Plan().fleet(11, 1).work(1000, 180, 0.3).rate(1000);
        plan.timeout = Duration.ofSeconds(1);
        return new World(plan, arm, 7)
                .run(12, 60, (world, seconds) -> {
                    world.agenda.after(27 * Agenda.SECOND, () -> world.servers[0].slowness = 11);
                    world.agenda.after(57 * Agenda.SECOND, () -> world.servers[0].slowness = 1);
                })
                .errorPercent();
    }

    @Test
    void threadsTakeTurnsOnAProcessor() {
        Agenda agenda = new Agenda();
        Processor processor = new Processor(agenda, 1);
        Vitals vitals = new Vitals(agenda);
        List<String> order = new ArrayList<>();
        processor.run(vitals, 10 * Agenda.MILLI, () -> order.add("long"));
        processor.run(vitals, Agenda.MILLI, () -> order.add("short"));
        agenda.runUntil(agenda.nanos() + 11 * Agenda.MILLI);
        assertThat(order).containsExactly("short", "long");
        agenda.runUntil(agenda.nanos() + 100 * Agenda.MILLI - agenda.nanos() % (100 * Agenda.MILLI));
        assertThat(vitals.runQueueMicros()).isEqualTo((3000 + 1000) / 5);
    }

    @Test
    void aStopIsSeenAfterTwelveMillisecondsByThoseWhoSentSomething() {
        World world = new World(new Plan().fleet(2, 8), Arm.RANDOM, 7);
        EndpointHealth health = new EndpointHealth();
        world.servers[0].pause(300 * Agenda.MILLI);
        world.nodes[0].arrived(0);
        world.agenda.runUntil(world.agenda.nanos() + 11 * Agenda.MILLI);
        assertThat(world.nodes[0].read(0, health) && health.stalled()).isFalse();
        world.agenda.runUntil(world.agenda.nanos() + Agenda.MILLI);
        assertThat(world.nodes[0].read(0, health) && health.stalled()).isTrue();
        assertThat(world.nodes[1].read(0, health)).isFalse();
        world.agenda.runUntil(world.agenda.nanos() + 300 * Agenda.MILLI);
        assertThat(world.nodes[0].read(0, health) && health.stalled()).isFalse();
    }
}

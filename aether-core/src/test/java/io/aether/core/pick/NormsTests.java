// SPDX-License-Identifier: Apache-2.0
package io.aether.core.pick;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What makes instances equal, and what equals get. */
class NormsTests {
    private static final long MILLI = 1_000_000L;

    private final Random random = new Random(7);
    private long now = 100_000 * MILLI;

    private Fleet fleet(int count, KernelView kernel) {
        Fleet fleet = new Fleet("s", PickSettings.defaults(), () -> now, random::nextInt, kernel);
        List<InstanceKey> keys = IntStream.range(0, count)
                .mapToObj(i -> new InstanceKey("s", "http", "10.0.0.1", 8000 + i))
                .toList();
        fleet.update(keys);
        return fleet;
    }

    private void answer(Instance instance, long nanos) {
        long start = instance.start();
        now += nanos;
        instance.firstByte(start, Outcome.SUCCESS);
        instance.end();
    }

    @Test
    void equalsTakeTurns() {
        Fleet fleet = fleet(4, KernelView.NONE);
        fleet.instances().forEach(instance -> IntStream.range(0, 20).forEach(i -> answer(instance, MILLI)));
        for (int i = 0; i < 40; i++) {
            now += MILLI;
            Instance next = Objects.requireNonNull(fleet.pick(Signals.APPLICATION));
            next.start();
            next.firstByte(now, Outcome.IGNORED);
            next.end();
        }
        assertThat(fleet.instances()).allMatch(instance -> instance.picks() == 30);
    }

    @Test
    void aFactorThatAllHaveIsNone() {
        boolean[] all = {true};
        Fleet fleet = fleet(4, (instance, into) -> {
            into.reset();
            into.reportTimeNanos = now;
            into.pressure = all[0] || instance.key().port() == 8000 ? 255 : 0;
            return true;
        });
        Instance first = fleet.instances().get(0);
        for (int i = 0; i < 20; i++) {
            fleet.instances().forEach(instance -> answer(instance, MILLI));
            now += 10 * MILLI;
            fleet.snapshot(Signals.KERNEL);
            fleet.pick(Signals.KERNEL);
        }
        assertThat(cost(fleet, first)).isEqualTo(cost(fleet, fleet.instances().get(1)));

        all[0] = false;
        for (int i = 0; i < 20; i++) {
            fleet.instances().forEach(instance -> answer(instance, MILLI));
            now += 10 * MILLI;
            fleet.pick(Signals.KERNEL);
        }
        assertThat(cost(fleet, first))
                .isGreaterThan(2 * cost(fleet, fleet.instances().get(1)));
    }

    private static double cost(Fleet fleet, Instance instance) {
        return fleet.snapshot(Signals.KERNEL).stream()
                .filter(snapshot -> snapshot.key().equals(instance.key()))
                .findFirst()
                .orElseThrow()
                .cost();
    }

    @Test
    void theSpreadIsWhatChanceExplains() {
        assertThat(norms(1e6).spread()).isEqualTo(1.5);
        assertThat(norms(700e6).spread()).isCloseTo(1.56, within(0.01));
        assertThat(norms(1e9).spread()).isCloseTo(1.67, within(0.02));
        assertThat(norms(Double.POSITIVE_INFINITY).spread()).isEqualTo(2);
    }

    @Test
    void theSlowAreForgottenNoFasterThanTheyWouldBeSampled() {
        assertThat(1 / norms(1e6).perForget()).isCloseTo(15e9, within(1.0));
        assertThat(1 / norms(5e9).perForget()).isCloseTo(100e9, within(1.0));
        assertThat(1 / norms(Double.POSITIVE_INFINITY).perForget()).isCloseTo(300e9, within(1.0));
    }

    @Test
    void ranksRiseWithoutSteps() {
        Norms norms = norms(1e6);
        double last = 0;
        for (double estimate = 0; estimate < 50 * MILLI; estimate += MILLI / 100.0) {
            double rank = norms.ranked(estimate);
            assertThat(rank).isBetween(last, last * 1.1 + MILLI / 10.0);
            last = rank;
        }
        assertThat(norms.ranked(2.5 * MILLI)).isEqualTo(2.0 * MILLI);
        assertThat(norms.ranked(20 * MILLI)).isGreaterThan(80.0 * MILLI);
        assertThat(Norms.unknown(8).ranked(5 * MILLI)).isEqualTo(5.0 * MILLI);
    }

    private static Norms norms(double gapNanos) {
        return Norms.of(2 * MILLI, gapNanos, 10e9, 1, 8, Told.NOTHING);
    }
}

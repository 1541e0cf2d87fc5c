// SPDX-License-Identifier: Apache-2.0
package io.aether.core.pick;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Who is asked by nobody's request first, and for how long that keeps requests away. */
class WarmUpTests {
    private static final long MILLI = 1_000_000L;
    private static final long SECOND = 1000 * MILLI;

    private final Random random = new Random(7);
    private long now = 100 * SECOND;

    private Fleet fleet(Duration warmUp) {
        PickSettings settings = PickSettings.defaults().withWarmUp(warmUp);
        Fleet fleet = new Fleet("s", settings, () -> now, random::nextInt, KernelView.NONE);
        fleet.update(keys(3));
        fleet.instances().forEach(this::answer);
        return fleet;
    }

    private static List<InstanceKey> keys(int count) {
        return IntStream.range(0, count)
                .mapToObj(i -> new InstanceKey("s", "http", "10.0.0.1", 8000 + i))
                .toList();
    }

    private void answer(Instance instance) {
        answer(instance, MILLI);
    }

    private void answer(Instance instance, long nanos) {
        long start = instance.start();
        now += nanos;
        instance.firstByte(start, Outcome.SUCCESS);
        instance.end();
    }

    /** Whether one of the next requests goes to it; ties take turns, so the others are served meanwhile. */
    private boolean picked(Fleet fleet, Instance instance) {
        for (int i = 0; i < 50; i++) {
            Instance next = Objects.requireNonNull(fleet.pick(Signals.APPLICATION));
            if (next == instance) {
                return true;
            }
            answer(next);
        }
        return false;
    }

    private static Instance refused(Fleet fleet) {
        Instance down = fleet.instances().get(0);
        down.refuse(down.start());
        down.end();
        return down;
    }

    @Test
    void whoRefusedIsWarmedUpBeforeItIsPicked() {
        Fleet fleet = fleet(Duration.ofSeconds(10));
        Instance down = refused(fleet);
        assertThat(down.wantsWarmUp()).as("while it is out").isFalse();
        now += SECOND;
        assertThat(down.wantsWarmUp()).isTrue();
        assertThat(picked(fleet, down)).isFalse();
        down.warmedUp(now);
        assertThat(down.wantsWarmUp()).isFalse();
        assertThat(picked(fleet, down)).isTrue();
    }

    @Test
    void howSlowItWasBeforeItWasOutDoesNotCount() {
        Fleet fleet = fleet(Duration.ofSeconds(10));
        Instance down = fleet.instances().get(0);
        for (int i = 0; i < 20; i++) {
            answer(down, 300 * MILLI);
        }
        assertThat(picked(fleet, down)).as("while it is slow").isFalse();
        refused(fleet);
        now += SECOND;
        down.warmedUp(now);
        assertThat(picked(fleet, down)).isTrue();
    }

    @Test
    void whatItAnsweredBeforeItFailedProvesNothing() {
        Fleet fleet = fleet(Duration.ofSeconds(10));
        long before = now;
        Instance down = refused(fleet);
        now += SECOND;
        down.warmedUp(before);
        assertThat(down.wantsWarmUp()).isTrue();
    }

    @Test
    void whoDoesNotGetWarmIsLetInWhenThePatienceEnds() {
        Fleet fleet = fleet(Duration.ofSeconds(10));
        Instance down = refused(fleet);
        now += 11 * SECOND;
        assertThat(down.wantsWarmUp()).isFalse();
        assertThat(picked(fleet, down)).isTrue();
    }

    @Test
    void whoJoinsAFleetInUseIsWarmedUpAndWhoIsThereFromTheStartIsNot() {
        Fleet fleet = fleet(Duration.ofSeconds(10));
        assertThat(fleet.instances()).noneMatch(Instance::wantsWarmUp);
        fleet.update(keys(4));
        Instance joined = fleet.instances().get(3);
        assertThat(joined.wantsWarmUp()).isTrue();
        assertThat(picked(fleet, joined)).isFalse();
        joined.warmedUp(now);
        assertThat(picked(fleet, joined)).isTrue();
    }

    @Test
    void whenNoneIsWarmRequestsGoOut() {
        Fleet fleet = fleet(Duration.ofSeconds(10));
        fleet.update(List.of(new InstanceKey("s", "http", "10.0.0.2", 1), new InstanceKey("s", "http", "10.0.0.2", 2)));
        assertThat(fleet.instances()).allMatch(Instance::wantsWarmUp);
        assertThat(fleet.pick(Signals.APPLICATION)).isNotNull();
    }

    @Test
    void withoutSomebodyToWarmThemUpNobodyWaits() {
        Fleet fleet = fleet(Duration.ZERO);
        Instance down = refused(fleet);
        fleet.update(keys(4));
        now += SECOND;
        assertThat(fleet.instances()).noneMatch(Instance::wantsWarmUp);
        assertThat(picked(fleet, down)).isTrue();
        assertThat(picked(fleet, fleet.instances().get(3))).isTrue();
    }
}

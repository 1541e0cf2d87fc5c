// SPDX-License-Identifier: Apache-2.0
package io.aether.core.pick;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.aether.core.pick.InstanceSnapshot.SignalValue;
import io.aether.core.score.Heard;
import io.aether.core.score.LoadWord;
import org.junit.jupiter.api.Test;

class ToldTests extends FleetFixture {
    private final Told told = Told.of(new float[] {6, 2, 4}, new float[] {10e6f, 30e6f, 9e6f}, 3);

    private long heard(String word) {
        return Heard.of(LoadWord.read(word), 0, now);
    }

    @Test
    void aFleetThatTellsNothingCountsOwnRequestsOnly() {
        assertThat(Told.of(new float[1], new float[1], 0)).isSameAs(Told.NOTHING);
        assertThat(Told.NOTHING.crowd(3, 0, now)).isEqualTo(4);
        assertThat(Told.NOTHING.slowness(heard("1 1000"), now)).isEqualTo(1);
    }

    @Test
    void requestsOfOthersCountAndOnesOwnCountMore() {
        assertThat(told.crowd(0, heard("9 0"), now)).isEqualTo(10);
        assertThat(told.crowd(1, heard("9 0"), now) - 10).isGreaterThan(1);
    }

    @Test
    void whoSaidNothingOrLongAgoIsAsBusyAsUsual() {
        assertThat(told.crowd(0, 0, now)).isEqualTo(5);
        long old = heard("100 0");
        now += 20 * SECOND;
        assertThat(told.crowd(0, old, now)).isCloseTo(5, within(0.01));
    }

    @Test
    void whoTakesMuchLongerThanUsualIsSlowUntilThatIsOld() {
        assertThat(told.slowness(0, now)).isEqualTo(1);
        assertThat(told.slowness(heard("1 1000"), now)).isEqualTo(1);
        assertThat(told.slowness(heard("1 14000"), now)).isEqualTo(1);
        long slow = heard("1 60000");
        double times = told.slowness(slow, now);
        assertThat(times).isGreaterThan(6);
        now += 2 * SECOND;
        assertThat(told.slowness(slow, now)).isBetween(2.0, times);
        now += 60 * SECOND;
        assertThat(told.slowness(slow, now)).isEqualTo(1);
    }

    @Test
    void aSnapshotSaysWhatWasTold() {
        Fleet fleet = fleet(2);
        Instance instance = fleet.instances().get(0);
        instance.reported(LoadWord.read("7 12000"), 0.5);
        now += 30 * MILLI;
        assertThat(fleet.snapshot(Signals.APPLICATION).get(0).signals())
                .filteredOn(signal -> signal.name().startsWith("reported_"))
                .extracting(SignalValue::name)
                .containsExactly("reported_utilization", "reported_in_flight", "reported_latency_ms");
        assertThat(fleet.snapshot(Signals.APPLICATION).get(1).signals())
                .noneMatch(signal -> signal.name().startsWith("reported_"));
    }
}

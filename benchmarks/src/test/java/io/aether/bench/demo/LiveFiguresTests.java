// SPDX-License-Identifier: Apache-2.0
package io.aether.bench.demo;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class LiveFiguresTests {

    private static final long MILLI = 1_000_000;
    private static final long SECOND = 1000 * MILLI;

    private final LiveFigures figures = new LiveFigures(10, Arm.KERNEL, 0);

    @Test
    void latencyCountsFromTheIntendedStart() {
        figures.add(new Checkout(0, 100 * MILLI, 150 * MILLI, true));
        figures.add(new Checkout(1, 500 * MILLI, 550 * MILLI, true)); // 300 ms late
        assertThat(figures.of(Arm.KERNEL).millis(50)).isBetween(49.0, 51.0);
        assertThat(figures.of(Arm.KERNEL).millis(100)).isBetween(349.0, 351.0);
    }

    @Test
    void whatStartsWhileASwitchTakesHoldCountsForNoArm() {
        add(0);
        figures.switched(Arm.ROUND_ROBIN, SECOND);
        add(20); // at 2 s
        add(41); // at 4.1 s
        assertThat(figures.of(Arm.KERNEL).requests()).isOne();
        assertThat(figures.of(Arm.ROUND_ROBIN).requests()).isOne();
    }

    @Test
    void onlyTheLastOfAnArmAreKept() {
        for (int i = 0; i < LiveFigures.KEPT + 500; i++) {
            add(i);
        }
        assertThat(figures.of(Arm.KERNEL).requests()).isEqualTo(LiveFigures.KEPT);
    }

    @Test
    void countingAnewDropsWhatIsUnderWay() {
        add(0);
        figures.forget(SECOND);
        add(5);
        assertThat(figures.of(Arm.KERNEL).requests()).isZero();
        add(10);
        assertThat(figures.of(Arm.KERNEL).requests()).isOne();
    }

    private void add(long index) {
        long sent = index * SECOND / 10;
        figures.add(new Checkout(index, sent, sent + 20 * MILLI, true));
    }
}

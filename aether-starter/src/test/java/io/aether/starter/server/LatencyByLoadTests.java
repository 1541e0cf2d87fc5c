// SPDX-License-Identifier: Apache-2.0
package io.aether.starter.server;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class LatencyByLoadTests {

    private final LatencyByLoad latency = new LatencyByLoad();

    @Test
    void saysNothingBeforeTheFirstAnswer() {
        assertThat(latency.medianNanos(3)).isZero();
    }

    @Test
    void isTheMedianAtTheLoadOfNow() {
        for (int i = 1; i <= 7; i++) {
            latency.observe(2, i);
            latency.observe(9, 100 * i);
        }
        assertThat(latency.medianNanos(2)).isEqualTo(4);
        assertThat(latency.medianNanos(9)).isEqualTo(400);
    }

    @Test
    void isThatOfTheNearestLoadWhereThereIsNone() {
        latency.observe(2, 5);
        latency.observe(40, 70);
        assertThat(latency.medianNanos(0)).isEqualTo(5);
        assertThat(latency.medianNanos(100_000)).isEqualTo(70);
    }

    @Test
    void forgetsAllButTheLastEight() {
        for (int i = 0; i < 100; i++) {
            latency.observe(1, 1000);
        }
        for (int i = 0; i < 8; i++) {
            latency.observe(1, 7);
        }
        assertThat(latency.medianNanos(1)).isEqualTo(7);
    }

    @Test
    void levelsGrowWithTheLoadAndEnd() {
        int before = -1;
        for (int others = 0; others < 70_000; others++) {
            int level = LatencyByLoad.level(others);
            assertThat(level).isBetween(before, before + 1);
            before = level;
        }
        assertThat(LatencyByLoad.level(Integer.MAX_VALUE)).isEqualTo(63);
        assertThat(LatencyByLoad.level(-1)).isZero();
    }
}

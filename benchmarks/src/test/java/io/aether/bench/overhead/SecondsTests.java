// SPDX-License-Identifier: Apache-2.0
package io.aether.bench.overhead;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class SecondsTests {
    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

    /** A thousand requests a second for so long; those of one second took longer. */
    private static Seconds run(long nanos, int disturbed) {
        Seconds seconds = new Seconds();
        for (long due = 0; due < nanos; due += SECOND / 1_000) {
            seconds.record(due, due / SECOND == disturbed ? 9_000_000 : 300_000);
        }
        return seconds;
    }

    @Test
    void oneDisturbedSecondDecidesTheWholeAndNotTheMedianSecond() {
        Seconds seconds = run(7 * SECOND + SECOND / 2, 3);
        assertThat(seconds.whole().getTotalCount()).isEqualTo(7_500);
        assertThat(seconds.whole().getValueAtPercentile(99) / 1e3).isCloseTo(9_000, within(10.0));
        assertThat(seconds.p99Micros(7 * SECOND + SECOND / 2)).isCloseTo(300, within(1.0));
    }

    @Test
    void halfASecondAtTheEndIsNone() {
        assertThat(run(SECOND + SECOND / 2, 1).p99Micros(SECOND + SECOND / 2)).isCloseTo(300, within(1.0));
        assertThat(run(SECOND / 2, 0).p99Micros(SECOND / 2)).isCloseTo(9_000, within(10.0));
    }
}

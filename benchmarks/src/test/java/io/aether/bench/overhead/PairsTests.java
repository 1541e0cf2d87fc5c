// SPDX-License-Identifier: Apache-2.0
package io.aether.bench.overhead;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

class PairsTests {
    @Test
    void comparesWithinEachPair() {
        Pairs pairs = new Pairs();
        // The machine gets slower from pair to pair; the agent adds a tenth each time.
        for (long micros : new long[] {1_000, 5_000, 2_000}) {
            pairs.add(false, result(micros));
            pairs.add(true, result(micros * 11 / 10));
        }

        assertThat(pairs.p99Change()).isCloseTo(10, within(0.5));
        assertThat(pairs.perSecondChange()).isZero();
        assertThat(pairs.p99(false)).isCloseTo(2_000, within(5.0));
        assertThat(pairs.perSecond(true)).isEqualTo(100);
    }

    private static Load.Result result(long micros) {
        Histogram latencies = new Histogram(TimeUnit.SECONDS.toNanos(1), 3);
        latencies.recordValueWithCount(TimeUnit.MICROSECONDS.toNanos(micros), 100);
        return new Load.Result(latencies, TimeUnit.SECONDS.toNanos(1), 0);
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.aether.bench.overhead;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.aether.bench.Change;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

class PairsTests {
    @Test
    void comparesWithinEachPair() {
        Pairs pairs = new Pairs();
        // The machine gets slower from pair to pair; the agent adds a tenth each time.
        for (long micros : new long[] {1_000, 5_000, 2_000}) {
            pairs.add(result(micros), result(micros * 11 / 10));
        }

        assertThat(pairs.p99Change().median()).isCloseTo(10, within(0.5));
        assertThat(pairs.perSecondChange()).isEqualTo(new Change(0, 0, 0));
        assertThat(pairs.p99(false)).isCloseTo(2_000, within(5.0));
        assertThat(pairs.perSecond(true)).isEqualTo(100);
    }

    @Test
    void leavesOutPairsOfWhichATurnWasDisturbed() {
        Pairs pairs = new Pairs();
        pairs.add(result(1_000), result(1_100));
        pairs.add(result(1_000), result(9_000, 0.01));
        pairs.add(result(500, 0.01), result(9_000));

        assertThat(pairs.calm().count()).isEqualTo(1);
        assertThat(pairs.calm().p99Change().median()).isCloseTo(10, within(0.5));
        assertThat(pairs.count()).isEqualTo(3);
    }

    /** Table of the sign test: of 24 pairs the seventh from both ends (coverage 97.7 %), of 6 the outermost (96.9 %). */
    @Test
    void leavesOutAsManyAsTheSignTestAllows() {
        assertThat(interval(24)).isEqualTo(new Change(12.5, 7, 18));
        assertThat(interval(6)).isEqualTo(new Change(3.5, 1, 6));
        assertThat(interval(3)).isEqualTo(new Change(2, 1, 3));
    }

    /** Of changes by 1 %, 2 %, ... */
    private static Change interval(int count) {
        Pairs pairs = new Pairs();
        for (int percent = 1; percent <= count; percent++) {
            pairs.add(turn(100), turn(100 + percent));
        }
        return pairs.perSecondChange();
    }

    private static Load.Result turn(long perSecond) {
        Histogram latencies = new Histogram(TimeUnit.SECONDS.toNanos(1), 3);
        latencies.recordValueWithCount(1, perSecond);
        return new Load.Result(latencies, TimeUnit.SECONDS.toNanos(1), 0, 0);
    }

    private static Load.Result result(long micros) {
        return result(micros, 0);
    }

    private static Load.Result result(long micros, double stolen) {
        Histogram latencies = new Histogram(TimeUnit.SECONDS.toNanos(1), 3);
        latencies.recordValueWithCount(TimeUnit.MICROSECONDS.toNanos(micros), 100);
        return new Load.Result(latencies, TimeUnit.SECONDS.toNanos(1), 0, stolen);
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.aether.bench.overhead;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

class TurnsTests {
    private final Turns turns = new Turns();

    @Test
    void calmTurnsCountAtOnce() throws Exception {
        assertThat(stolen(0.002)).isEqualTo(0.002);
        assertThat(turns.repeated()).isZero();
    }

    @Test
    void disturbedTurnsAreRunAgainUntilTheyAreCalm() throws Exception {
        assertThat(stolen(0.02, 0.001, 0)).isEqualTo(0.001);
        assertThat(turns.repeated()).isEqualTo(1);
    }

    @Test
    void onAHostThatIsNeverCalmTheCalmestCounts() throws Exception {
        assertThat(stolen(0.03, 0.01, 0.02, 0)).isEqualTo(0.01);
        assertThat(turns.repeated()).isEqualTo(2);
    }

    @Test
    void oneDisturbedTurnSpoilsThoseBesideIt() throws Exception {
        List<Load.Result> first = List.of(result(0), result(0.01));
        List<Load.Result> second = List.of(result(0.0015), result(0));

        assertThat(turns.run(List.of(first, second).iterator()::next)).isEqualTo(second);
    }

    /** Of the turn that counts, when they are disturbed so much one after the other. */
    private double stolen(double... shares) throws Exception {
        var results = IntStream.range(0, shares.length)
                .mapToObj(i -> List.of(result(shares[i])))
                .iterator();
        return turns.run(results::next).get(0).stolen();
    }

    private static Load.Result result(double stolen) {
        return new Load.Result(new Histogram(3), TimeUnit.SECONDS.toNanos(1), 0, stolen);
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.aether.bench.peers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class SamplesTests {
    private static Samples upTo(int millis) {
        return new Samples(IntStream.rangeClosed(1, millis).map(i -> 1000 * i).toArray(), 0, 0, 0);
    }

    @Test
    void percentilesAreTheNearestRank() {
        Samples samples = upTo(1000);
        assertThat(samples.millis(50)).isEqualTo(500);
        assertThat(samples.millis(99)).isEqualTo(990);
        assertThat(samples.millis(99.9)).isEqualTo(999);
        assertThat(new Samples(new int[] {7000}, 0, 0, 0).millis(99.9)).isEqualTo(7);
        assertThat(Samples.NONE.millis(50)).isNaN();
        assertThat(Samples.NONE.errorPercent()).isNaN();
    }

    @Test
    void blocksAreJoinedAsOneSample() {
        Samples both = upTo(100).and(new Samples(new int[] {900_000}, 3, 1, 2));
        assertThat(both.count()).isEqualTo(103);
        assertThat(both.millis(100)).isEqualTo(900);
        assertThat(both.lateMillis()).isEqualTo(2);
    }

    @Test
    void errorsAtOnceHaveNoLatencyAndThoseGivenUpHave() {
        Samples samples = new Samples(new int[] {1000, 1000, 1_000_000}, 2, 1, 0);
        assertThat(samples.count()).isEqualTo(4);
        assertThat(samples.errorPercent()).isEqualTo(50);
        assertThat(samples.millis(99)).isEqualTo(1000);
    }

    @Test
    void goesOverTheWire() throws IOException {
        Samples samples = new Samples(new int[] {5, 3}, 2, 1, 0.5);
        assertThat(Samples.parse(samples.line()).line())
                .isEqualTo(samples.line())
                .isEqualTo("2 1 0.5 3 5");
        assertThat(Samples.parse(Samples.NONE.line()).count()).isZero();
        assertThatThrownBy(() -> Samples.parse("Exception in thread"))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("Exception in thread");
    }
}

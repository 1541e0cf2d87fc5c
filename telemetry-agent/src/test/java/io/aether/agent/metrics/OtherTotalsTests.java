// SPDX-License-Identifier: Apache-2.0
package io.aether.agent.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

class OtherTotalsTests {
    private final OtherTotals<String> totals = new OtherTotals<>(1);

    @Test
    void neverFallsWhenAKeyGetsItsOwnSeries() {
        assertThat(look(Map.of(), Map.of("a", 10L, "b", 5L))).isEqualTo(15);
        assertThat(look(Map.of("a", 12L), Map.of("b", 6L))).isEqualTo(16);
    }

    @Test
    void addsOnlyTheGrowthOfAKeyThatLosesItsSeries() {
        assertThat(look(Map.of("a", 100L), Map.of("b", 1L))).isEqualTo(1);
        assertThat(look(Map.of(), Map.of("a", 103L, "b", 1L))).isEqualTo(4);
    }

    @Test
    void countsAKeyThatStartsAgainFromZero() {
        look(Map.of(), Map.of("a", 10L));

        assertThat(look(Map.of(), Map.of("a", 3L))).isEqualTo(13);
    }

    @Test
    void isUnusedUntilSomethingIsLeftOut() {
        look(Map.of("a", 1L), Map.of());
        assertThat(totals.used()).isFalse();

        look(Map.of("a", 1L), Map.of("b", 0L));
        assertThat(totals.used()).isTrue();
    }

    private long look(Map<String, Long> shown, Map<String, Long> rest) {
        return totals.update(arrays(shown), arrays(rest))[0];
    }

    private static Map<String, long[]> arrays(Map<String, Long> values) {
        Map<String, long[]> arrays = new HashMap<>();
        values.forEach((key, value) -> arrays.put(key, new long[] {value}));
        return arrays;
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.aether.sample.load;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class TallyTests {

    private final Tally tally = new Tally();

    @Test
    void percentilesAreOfTheAnsweredAndFailuresAreCounted() {
        for (int i = 1; i <= 200; i++) {
            tally.answered(i * 1_000_000L);
        }
        tally.failed();
        assertThat(tally.next()).isEqualTo("201 requests, 1 failed, P50 100.0 ms, P99 198.0 ms, longest 200.0 ms");
    }

    @Test
    void everyLineBeginsAgain() {
        tally.answered(5_000_000);
        assertThat(tally.next()).startsWith("1 requests, 0 failed, P50 5.0 ms");
        assertThat(tally.next()).isEqualTo("0 requests, 0 failed, P50 0.0 ms, P99 0.0 ms, longest 0.0 ms");
    }
}

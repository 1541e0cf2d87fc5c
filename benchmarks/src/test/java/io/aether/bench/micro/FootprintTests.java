// SPDX-License-Identifier: Apache-2.0
package io.aether.bench.micro;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class FootprintTests {
    private static final int MANY = 10_000;
    private final Footprint footprint = new Footprint();

    @Test
    void anInstanceOfALargeServiceTakesLessThan300Bytes() {
        footprint.perService(1, 10); // What is loaded once.
        assertThat(footprint.perService(1, MANY) / MANY).isBetween(100.0, 300.0);
    }

    @Test
    void aThousandServicesTakeKilobytesEach() {
        footprint.perService(1, 3);
        assertThat(footprint.perService(1000, 3)).isLessThan(20_000);
    }
}

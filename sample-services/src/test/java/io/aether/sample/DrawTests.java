// SPDX-License-Identifier: Apache-2.0
package io.aether.sample;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class DrawTests {

    @Test
    void theSameNameDrawsTheSameTimes() {
        Draw one = Draw.named("42");
        assertThat(one.random().nextDouble())
                .isEqualTo(Draw.named("42").random().nextDouble());
        assertThat(one.of(3)).isEqualTo(Draw.named("42").of(3)).isNotEqualTo(one.of(4));
        assertThat(one.of(3)).isEqualTo(Draw.named(one.of(3).value()));
    }

    @Test
    void whatIsNoNumberDrawsByChance() {
        assertThat(Draw.named("soon")).isNotEqualTo(Draw.named("soon"));
        assertThat(Draw.named(null)).isNotEqualTo(Draw.named(null));
    }
}

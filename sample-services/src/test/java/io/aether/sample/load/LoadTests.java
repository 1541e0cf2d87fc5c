// SPDX-License-Identifier: Apache-2.0
package io.aether.sample.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.net.URI;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class LoadTests {

    private static final URI PAGE = URI.create("http://127.0.0.1/");

    @Test
    void requestsAreDueAtTheRate() {
        Load load = new Load(PAGE, 10, Duration.ZERO);
        assertThat(load.dueNanos(0)).isZero();
        assertThat(load.dueNanos(1)).isEqualTo(100_000_000);
        assertThat(load.dueNanos(50)).isEqualTo(5_000_000_000L);
    }

    @Test
    void theRateRisesEvenlyAndIsReachedAtTheEndOfTheRamp() {
        Load load = new Load(PAGE, 10, Duration.ofSeconds(60));
        assertThat(load.dueNanos(75)).as("a quarter of the ramp's 300").isEqualTo(30_000_000_000L);
        assertThat(load.dueNanos(300)).isEqualTo(60_000_000_000L);
        assertThat(load.dueNanos(310)).isEqualTo(61_000_000_000L);
    }

    @Test
    void aRateThatMakesNoSenseIsNamed() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Load(PAGE, 0, Duration.ZERO))
                .withMessageContaining("rate");
    }
}

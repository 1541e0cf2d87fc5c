// SPDX-License-Identifier: Apache-2.0
package io.aether.agent.bpf;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

class MarkSettingsTests {
    private final MarkSettings settings = MarkSettings.defaults();

    @Test
    void tellsTheNativeSideMicroseconds() {
        assertThat(settings.numbers()).containsExactly(5_000, 20_000, 1, 1);
        assertThat(settings.withScrub(false, List.of()).numbers()).containsExactly(5_000, 20_000, 0, 1);
        assertThat(settings.withAsk(false).numbers()).containsExactly(5_000, 20_000, 1, 0);
        assertThat(settings.withScrub(true, List.of("10.0.0.0/8", "fc00::/7")).prefixBytes())
                .hasSize(34)
                .startsWith(104)
                .contains(10);
    }

    @Test
    void refusesThresholdsThatMakeNoRamp() {
        Duration ten = Duration.ofMillis(10);
        assertThatThrownBy(() -> settings.withThresholds(ten, ten)).hasMessageContaining("all must not be PT0.01S");
        assertThatThrownBy(() -> settings.withThresholds(Duration.ofNanos(999_999), ten))
                .hasMessageContaining("from must not be");
        assertThatThrownBy(() -> settings.withThresholds(ten, Duration.ofSeconds(61)))
                .hasMessageContaining("all must not be PT1M1S");
    }

    @Test
    void refusesWhatAreNoNetworks() {
        assertThat(MarkSettings.areValid(List.of())).isTrue();
        assertThat(MarkSettings.areValid(List.of("10.0.0.0/33"))).isFalse();
        assertThat(MarkSettings.areValid(Collections.nCopies(257, "10.0.0.0/8")))
                .isFalse();
    }
}

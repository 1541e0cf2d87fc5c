// SPDX-License-Identifier: Apache-2.0
package io.aether.starter.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.aether.core.limit.Priority;
import io.aether.starter.server.gateway.RouteWords;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RouteWordsTests {

    @ParameterizedTest
    @ValueSource(strings = {"best_effort", "BEST_EFFORT", "best-effort"})
    void prioritiesByTheirNames(String name) {
        assertThat(RouteWords.priority(Map.of(RouteWords.PRIORITY, name))).isEqualTo(Priority.BEST_EFFORT);
    }

    @Test
    void deadlinesAsTimes() {
        assertThat(RouteWords.withinNanos(Map.of(RouteWords.DEADLINE, "2s"))).isEqualTo(2_000_000_000);
        assertThat(RouteWords.withinNanos(Map.of(RouteWords.DEADLINE, 250))).isEqualTo(250_000_000);
        assertThat(RouteWords.withinNanos(Map.of(RouteWords.DEADLINE, Duration.ofMillis(3))))
                .isEqualTo(3_000_000);
    }

    @Test
    void sayingNothingIsAllowed() {
        assertThat(RouteWords.priority(Map.of())).isNull();
        assertThat(RouteWords.withinNanos(Map.of())).isZero();
    }

    @Test
    void wrongWordsAreNamed() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> RouteWords.priority(Map.of(RouteWords.PRIORITY, "urgent")))
                .withMessageContaining("aether-priority")
                .withMessageContaining("urgent")
                .withMessageContaining("bulk");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> RouteWords.withinNanos(Map.of(RouteWords.DEADLINE, "soon")))
                .withMessageContaining("aether-deadline");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> RouteWords.withinNanos(Map.of(RouteWords.DEADLINE, "-1s")))
                .withMessageContaining("above 0");
    }
}

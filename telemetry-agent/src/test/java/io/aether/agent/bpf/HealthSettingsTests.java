// SPDX-License-Identifier: Apache-2.0
package io.aether.agent.bpf;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

class HealthSettingsTests {
    private static byte[] bytesOf(String prefix) {
        return HealthSettings.defaults().withPrefixes(List.of(prefix)).prefixBytes();
    }

    @Test
    void mapsPrefixesOfIpv4() {
        assertThat(bytesOf("10.1.0.0/16")).containsExactly(112, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff, 10, 1, 0, 0);
        assertThat(bytesOf("192.0.2.7")[0]).isEqualTo((byte) 128);
        assertThat(bytesOf("0.0.0.0/0")[0]).isEqualTo((byte) 96);
    }

    @Test
    void takesPrefixesOfIpv6AsTheyAre() {
        assertThat(bytesOf("fc00::/7")).startsWith(7, 0xfc, 0).hasSize(17);
        assertThat(bytesOf("::1")[0]).isEqualTo((byte) 128);
    }

    @Test
    void namesWhatIsNoPrefix() {
        for (String wrong :
                List.of("", "10.0.0.0/33", "10.0.0.0/-1", "10.0.0.0/", "fc00::/129", "host/8", "10.0.0.0/8/8")) {
            assertThatThrownBy(() -> bytesOf(wrong))
                    .as(wrong)
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("a prefix must not be " + wrong);
        }
        assertThat(HealthSettings.areValid(Collections.nCopies(256, "10.0.0.0/8")))
                .isTrue();
        assertThat(HealthSettings.areValid(Collections.nCopies(257, "10.0.0.0/8")))
                .isFalse();
    }

    @Test
    void boundsTheAcknowledgementsDelay() {
        HealthSettings settings = HealthSettings.defaults();
        assertThat(settings.withDelayedAck(Duration.ZERO).delayedAck()).isZero();
        assertThatThrownBy(() -> settings.withDelayedAck(Duration.ofMillis(201)))
                .isInstanceOf(IllegalArgumentException.class);
    }
}

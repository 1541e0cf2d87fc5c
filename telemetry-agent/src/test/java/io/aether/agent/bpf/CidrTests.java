// SPDX-License-Identifier: Apache-2.0
package io.aether.agent.bpf;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CidrTests {
    @ParameterizedTest
    @CsvSource({
        "10.0.0.0/8, 10.0.0.0/8",
        "0.0.0.0/0, 0.0.0.0/0",
        "192.0.2.7, 192.0.2.7",
        "192.0.2.7/32, 192.0.2.7",
        "::ffff:192.0.2.7, 192.0.2.7",
        "2001:db8::/32, 2001:db8:0:0:0:0:0:0/32",
        "::/0, 0:0:0:0:0:0:0:0/0",
        "2001:db8::8/125, 2001:db8:0:0:0:0:0:8/125",
        "::1, 0:0:0:0:0:0:0:1"
    })
    void readsNetworksAndAddresses(String text, String canonical) {
        assertThat(Cidr.parse(text)).hasToString(canonical).isEqualTo(Cidr.parse(canonical));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "/",
                "/8",
                "host",
                "host/8",
                "10.0.0/8",
                "10.0.0.0/33",
                "10.0.0.0/-1",
                "10.0.0.0/",
                "10.0.0.0/x",
                "10.0.0.0/8/8",
                "10.0.0.256",
                "2001:db8::/129",
                "1:2",
                "10.0.0.0/99999999999",
                "null"
            })
    void refusesAnythingElseByName(String text) {
        assertThatThrownBy(() -> Cidr.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'" + text + "'")
                .hasMessageContaining("203.0.113.0/24");
    }

    @Test
    void asksAboutBitsBehindThePrefix() {
        assertThatThrownBy(() -> Cidr.parse("10.0.0.1/8")).hasMessageContaining("did you mean 10.0.0.0/8?");
        assertThatThrownBy(() -> Cidr.parse("2001:db8::1/64")).hasMessageContaining("did you mean 2001:db8:");
    }

    @Test
    void coversWhatLiesWithinAndIsOfTheSameFamily() {
        Cidr ten = Cidr.parse("10.0.0.0/8");
        assertThat(ten.covers(Cidr.parse("10.1.0.0/16"))).isTrue();
        assertThat(ten.covers(ten)).isTrue();
        assertThat(ten.covers(Cidr.parse("11.0.0.0/16"))).isFalse();
        assertThat(ten.covers(Cidr.parse("10.0.0.0/7"))).isFalse();
        assertThat(Cidr.parse("::/0").covers(ten)).isFalse();
        assertThat(Cidr.parse("::/0").covers(Cidr.parse("2001:db8::/32"))).isTrue();
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.aether.core.table;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class EndpointAddressTests {
    @ParameterizedTest
    @CsvSource({
        "127.0.0.1, 127.0.0.1:80",
        "::ffff:127.0.0.1, 127.0.0.1:80",
        "[2001:db8::1], [2001:db8:0:0:0:0:0:1]:80",
        "fe80::1%eth0, [fe80:0:0:0:0:0:0:1]:80",
        "::1, [0:0:0:0:0:0:0:1]:80"
    })
    void parsesLiterals(String literal, String expected) {
        assertThat(EndpointAddress.parse(literal, 80)).hasToString(expected);
    }

    @Test
    void keepsIpv4AsTheKernelDoes() {
        EndpointAddress address = TableFile.address("127.0.0.1", 80);

        assertThat(address.hi()).isZero();
        assertThat(address.lo()).isEqualTo(0x0100007fffff0000L);
        assertThat(address).isEqualTo(TableFile.address("::ffff:127.0.0.1", 80));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"localhost", "", "1.2.3", "1.2.3.4.5", "256.1.1.1", "1..2.3", "a:b:c", "1:2", "dead.beef", "%"})
    void neverLooksNamesUp(String name) {
        assertThat(EndpointAddress.parse(name, 80)).isNull();
    }

    @Test
    void refusesPortsThatAreNone() {
        assertThat(EndpointAddress.parse("127.0.0.1", -1)).isNull();
        assertThat(EndpointAddress.parse("127.0.0.1", 65536)).isNull();
    }

    @ParameterizedTest
    @CsvSource({"net:[4026531840], 4026531840", "net:[], 0", "net, 0", "net:[x], 0"})
    void readsNamespaceLinks(String link, long expected) {
        assertThat(NetworkNamespace.parse(link)).isEqualTo(expected);
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.aether.agent.guard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.aether.agent.bpf.Cidr;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class NetworkListTests {
    private final NetworkList list = new NetworkList("block", 2);

    private static List<Cidr> cidrs(String... texts) {
        return Arrays.stream(texts).map(Cidr::parse).toList();
    }

    @Test
    void endsEachNetworkAtItsLatestTime() {
        list.put(cidrs("10.0.0.0/8", "11.0.0.0/8"), 100);
        list.put(cidrs("10.0.0.0/8"), 200);
        assertThat(list.expire(99)).isEmpty();
        assertThat(list.expire(100)).isEqualTo(cidrs("11.0.0.0/8"));
        list.put(cidrs("10.0.0.0/8"), 0);
        assertThat(list.expire(1_000)).as("for ever now").isEmpty();
        assertThat(list.all()).containsOnlyKeys(cidrs("10.0.0.0/8"));
    }

    @Test
    void hasRoomForEachFamilyByItself() throws ListFullException {
        list.put(cidrs("10.0.0.0/8", "11.0.0.0/8", "2001:db8::/32"), 0);
        list.checkRoom(cidrs("10.0.0.0/8", "2001:db8:1::/48"), false);
        assertThatThrownBy(() -> list.checkRoom(cidrs("12.0.0.0/8"), false))
                .isInstanceOf(ListFullException.class)
                .hasMessageContaining("the block list would hold 3 IPv4 and 1 IPv6 networks")
                .hasMessageContaining("aether.agent.guard.max-entries");
        assertThatCode(() -> list.checkRoom(cidrs("12.0.0.0/8", "13.0.0.0/8"), true))
                .doesNotThrowAnyException();
        list.remove(cidrs("10.0.0.0/8", "14.0.0.0/8"));
        list.checkRoom(cidrs("12.0.0.0/8"), false);
        assertThat(list.size()).isEqualTo(2);
        assertThat(list.present(cidrs("10.0.0.0/8", "11.0.0.0/8"))).isEqualTo(cidrs("11.0.0.0/8"));
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.aether.core.limit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.Test;

class PeerMarksTests {
    private final PeerMarks peer = new PeerMarks();

    @Test
    void theFirstLookOnlyRemembers() {
        assertThat(peer.read(1_000_000, 5_000_000)).isFalse();
        assertThat(peer.read(1_000_003, 5_000_010)).isTrue();
        assertThat(peer.marked()).isEqualTo(3);
        assertThat(peer.clean()).isEqualTo(10);
        assertThat(peer.read(1_000_003, 5_000_010)).isFalse();
        assertThat(peer.marked()).isZero();
        assertThat(peer.restarts()).isZero();
    }

    @Test
    void countersThatGoBackAreANewBeginning() {
        peer.read(500, 5000);
        assertThat(peer.read(2, 7)).isFalse();
        assertThat(peer.marked()).isZero();
        assertThat(peer.restarts()).isEqualTo(1);
        assertThat(peer.read(4, 9)).isTrue();
        assertThat(peer.marked()).isEqualTo(2);
    }

    @Test
    void aPeerThatLeftBeginsAnew() {
        peer.read(500, 5000);
        peer.forget();
        assertThat(peer.read(700, 9000)).isFalse();
        assertThat(peer.restarts()).isZero();
    }

    @Test
    void nothingHostileBecomesNews() {
        Random random = new Random(1);
        for (int i = 0; i < 100_000; i++) {
            peer.read(random.nextLong(), random.nextLong());
            assertThat(peer.marked()).isBetween(0L, PeerMarks.MOST_PACKETS);
            assertThat(peer.clean()).isBetween(0L, PeerMarks.MOST_PACKETS);
        }
        assertThat(peer.restarts()).isGreaterThan(99_000);
    }
}

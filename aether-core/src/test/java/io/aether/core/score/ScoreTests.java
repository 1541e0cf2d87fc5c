// SPDX-License-Identifier: Apache-2.0
package io.aether.core.score;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.aether.core.table.EndpointHealth;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ScoreTests {
    private static final long NOW = 50_000_000_000L;
    private static final double TAU = 10e9;
    private static final double MILLI = 1e6;

    private static EndpointHealth path(long age, long rttMicros, long minMicros, long retransPermille) {
        EndpointHealth health = new EndpointHealth();
        health.pathTimeNanos = NOW - age;
        health.srttMicros = rttMicros;
        health.minRttMicros = minMicros;
        health.retransPermille = retransPermille;
        return health;
    }

    /** Age in ms, smoothed and minimum RTT in us, retransmitted permille, latency in ms: the factor. */
    @ParameterizedTest
    @CsvSource({
        "0, 200, 20, 0, 0.1, 1.18", // A loopback's noise.
        "0, 200, 20, 0, 20, 1.01",
        "0, 20200, 200, 0, 10, 3.0",
        "0, 900000, 200, 0, 10, 4.0",
        "0, 20, 200, 0, 10, 1.0",
        "0, 200, 200, 10, 2, 2.0", // One segment in a hundred lost.
        "100, 900000, 200, 0, 10, 4.0",
        "101, 900000, 200, 0, 10, 1.5",
        "550, 900000, 200, 0, 10, 1.25",
        "1000, 900000, 200, 1000, 10, 1.0",
        "-5, 900000, 200, 0, 10, 4.0",
        "-60000, 900000, 200, 0, 10, 1.0"
    })
    void pathsCountByWhatTheyAddAndByTheirAge(
            long age, long rtt, long min, long retrans, double latency, double expected) {
        assertThat(KernelScore.factor(path(age * 1_000_000, rtt, min, retrans), NOW, latency * MILLI))
                .isCloseTo(expected, within(0.01));
    }

    @Test
    void factorsStayInBoundsWhateverTheTableHolds() {
        Random random = new Random(1);
        for (int i = 0; i < 20_000; i++) {
            EndpointHealth health = path(random.nextLong(), random.nextLong(), random.nextLong(), random.nextLong());
            health.reportTimeNanos = NOW - random.nextInt(2_000_000_000);
            health.ecnTimeNanos = NOW - random.nextInt(2_000_000_000);
            health.cePermille = random.nextInt() & 0xffffffffL;
            health.runQueueMicros = random.nextInt() & 0xffffffffL;
            health.sojournMicros = random.nextInt() & 0xffffffffL;
            health.throttledPermille = random.nextInt(65536);
            health.pressure = random.nextInt(256);

            assertThat(KernelScore.factor(health, NOW, random.nextDouble() * 1e9))
                    .isBetween(1.0, 4.0);
        }
        assertThat(KernelScore.factor(new EndpointHealth(), NOW, MILLI)).isEqualTo(1);
    }

    @Test
    void latencyFollowsItsSamplesAndRisesAtOnceWhenTheyAreFarAbove() {
        long word = Latency.observe(0, 2 * MILLI, NOW, TAU);
        assertThat(Latency.raw(word)).isCloseTo(2 * MILLI, within(1.0));
        word = Latency.observe(word, 4 * MILLI, NOW, TAU);
        assertThat(Latency.raw(word)).isCloseTo(2 * MILLI, within(1.0));
        word = Latency.observe(word, 300 * MILLI, NOW, TAU);
        assertThat(Latency.raw(word)).isCloseTo(91.4 * MILLI, within(MILLI));
        word = Latency.observe(word, 2 * MILLI, NOW + 100_000_000_000L, TAU);
        assertThat(Latency.raw(word)).isCloseTo(2 * MILLI, within(0.1 * MILLI));
    }

    @Test
    void latencyRestsAtTheFleetsWhenIdle() {
        long slow = Latency.observe(0, 20 * MILLI, NOW, TAU);
        long fast = Latency.observe(0, 0.1 * MILLI, NOW, TAU);
        assertThat(Latency.at(slow, NOW, 1 / TAU, 2 * MILLI)).isCloseTo(20 * MILLI, within(0.01 * MILLI));
        assertThat(Latency.at(slow, NOW + (long) TAU, 1 / TAU, 2 * MILLI)).isCloseTo(8.6 * MILLI, within(0.1 * MILLI));
        long later = NOW + 3_600_000_000_000L;
        assertThat(Latency.at(slow, later, 1 / TAU, 2 * MILLI)).isCloseTo(2 * MILLI, within(1.0));
        assertThat(Latency.at(fast, later, 1 / TAU, 2 * MILLI)).isCloseTo(2 * MILLI, within(1.0));
        assertThat(Latency.at(slow, NOW + 40L * 86_400_000_000_000L, 1 / TAU, 2 * MILLI))
                .isLessThan(3 * MILLI);
        assertThat(Latency.at(0, NOW, 1 / TAU, 2 * MILLI)).isEqualTo(2 * MILLI);
        assertThat(Latency.at(slow, NOW, 1 / TAU, MILLI)).isEqualTo(10 * MILLI);
    }

    @Test
    void decayIsCloseEnough() {
        for (double x = 0; x < 50; x += 0.01) {
            assertThat(Latency.decay(x)).isCloseTo(Math.exp(-x), within(0.01));
        }
    }

    @Test
    void penaltiesFadeSlowerTheMoreFailures() {
        double previous = 0;
        for (int failures = 1; failures < 40; failures++) {
            double left = Penalty.left(5e9, 2_000_000_000L, failures);
            assertThat(left).isBetween(previous, 5e9);
            previous = left;
        }
        assertThat(Penalty.left(5e9, -1, 1)).isEqualTo(5e9);
        assertThat(Penalty.left(5e9, 15_000_000_000L, 1)).isLessThan(10 * MILLI);
    }
}

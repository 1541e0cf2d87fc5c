// SPDX-License-Identifier: Apache-2.0
package io.aether.core.limit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Marking, shares, admission, service time and ranks: the pure parts. */
class ServerLawsTests {
    private static final double MILLI = 1e6;
    private static final long SLO = 200_000_000;

    /** Queue in ms, packets of the client, mean over the clients: the probability, for a median of 20 and an SLO of 200 ms. */
    @ParameterizedTest
    @CsvSource({
        "0, 10, 10, 0",
        "20, 10, 10, 0",
        "40, 10, 10, 0.5",
        "60, 10, 10, 1",
        "1000, 10, 10, 1",
        "40, 5, 10, 0.125",
        "40, 30, 10, 1",
        "40, 0, 10, 0",
        "40, 7, 0, 0.5", // Nobody got anything before: all weigh the same.
        "-5, 10, 10, 0",
        "NaN, 10, 10, 0",
        "Infinity, 1, 10, 0.01",
        "40, NaN, 10, 0",
        "40, -3, 10, 0"
    })
    void marksByQueueAndShare(double queueMillis, double packets, double mean, double expected) {
        assertThat(Marker.of(20 * MILLI, SLO).probability(queueMillis * MILLI, packets, mean))
                .isCloseTo(expected, within(1e-9));
    }

    @Test
    void aServiceSlowerThanItsObjectiveStillHasARamp() {
        Marker marker = Marker.of(500 * MILLI, 10 * MILLI);
        assertThat(marker.ramp(17 * MILLI)).isZero();
        assertThat(marker.ramp(20 * MILLI)).isEqualTo(1);
        assertThatThrownBy(() -> new Marker(5, 5)).hasMessageContaining("low < high");
        assertThatThrownBy(() -> new Marker(Double.NaN, 5)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void sharesAreThoseOfTheLastFullHalfSecond() {
        ClientShares shares = new ClientShares();
        ClientShares.Client heavy = new ClientShares.Client();
        ClientShares.Client light = new ClientShares.Client();
        long now = 10 * ClientShares.EPOCH_NANOS;
        shares.count(heavy, 30, now);
        shares.count(light, 10, now);
        assertThat(shares.packets(heavy, now)).isZero();
        assertThat(shares.mean(now)).isZero();
        now += ClientShares.EPOCH_NANOS;
        assertThat(shares.packets(heavy, now)).isEqualTo(30);
        assertThat(shares.mean(now)).isEqualTo(20);
        now += 2 * ClientShares.EPOCH_NANOS;
        assertThat(shares.packets(heavy, now)).isZero();
        assertThat(shares.mean(now)).isZero();
    }

    /** Wait in ms: the least important tier that is still admitted, for a limit of 80 ms. */
    @ParameterizedTest
    @CsvSource({"0, BULK", "43, BULK", "45, BEST_EFFORT", "57, DEGRADED", "69, CRITICAL", "80, CRITICAL", "NaN, BULK"})
    void theLeastImportantIsRefusedFirst(double waitMillis, Priority last) {
        Admission admission = Admission.of(SLO);
        for (Priority priority : Priority.values()) {
            assertThat(admission.arrive(priority, waitMillis * MILLI, Admission.NO_DEADLINE, 5))
                    .isEqualTo(priority.compareTo(last) <= 0 ? Admission.Verdict.ADMIT : Admission.Verdict.REFUSE);
        }
    }

    /** Priority, what is left until its deadline and its wait in ms, for an objective of 200 ms, so a hard limit of 80. */
    @ParameterizedTest
    @CsvSource({
        "CRITICAL, 300, 119, ADMIT", // Waits for 0.4 of what is left,
        "CRITICAL, 300, 121, REFUSE",
        "CRITICAL, 100000, 159, ADMIT", // for two hard limits at most,
        "CRITICAL, 100000, 161, REFUSE",
        "CRITICAL, 100, 79, ADMIT", // and for one at least.
        "DEGRADED, 100000, 69, REFUSE",
        "BULK, 100000, 45, REFUSE"
    })
    void theMostImportantWaitsWhileItsDeadlineLeavesTheTime(
            Priority priority, double leftMillis, double waitMillis, Admission.Verdict verdict) {
        long now = Long.MAX_VALUE - 10;
        assertThat(Admission.of(SLO).arrive(priority, waitMillis * MILLI, now + (long) (leftMillis * MILLI), now))
                .isEqualTo(verdict);
    }

    @Test
    void whatIsTooLateIsNotBegun() {
        Admission admission = Admission.of(SLO);
        long now = Long.MAX_VALUE - 10; // Deadlines beyond the clock's wrap.
        assertThat(admission.arrive(Priority.CRITICAL, 0, now, now)).isEqualTo(Admission.Verdict.EXPIRED);
        assertThat(admission.arrive(Priority.CRITICAL, 0, now + 100, now)).isEqualTo(Admission.Verdict.ADMIT);
        assertThat(admission.arrive(Priority.CRITICAL, 101, now + 100, now)).isEqualTo(Admission.Verdict.REFUSE);
        assertThat(admission.retryAfterNanos(100 * MILLI)).isEqualTo(60_000_000);
        assertThat(admission.retryAfterNanos(Double.NaN)).isEqualTo(1_000_000);
    }

    @Test
    void serviceTimeFollowsAStepWithinFortyAnswers() {
        ServiceTime time = new ServiceTime(20 * MILLI);
        for (int i = 0; i < 40; i++) {
            time.observe(60 * MILLI);
        }
        assertThat(time.nanos()).isGreaterThan(48 * MILLI);
        assertThat(time.waitNanos(16, 8)).isCloseTo(2 * time.nanos(), within(1.0));
        double before = time.nanos();
        time.observe(Double.NaN);
        time.observe(-1);
        time.observe(Double.POSITIVE_INFINITY);
        assertThat(time.nanos()).isEqualTo(before);
        time.observe(Double.MAX_VALUE);
        assertThat(time.nanos()).isLessThan(2.5 * before);
        assertThat(time.waitNanos(-3, 0)).isZero();
    }

    @Test
    void ranksAreUniformRepeatableAndNewEveryHour() {
        int low = 0;
        int moved = 0;
        for (long user = 0; user < 10_000; user++) {
            float rank = UserRank.of(user, 480_000);
            assertThat(rank).isGreaterThanOrEqualTo(0).isLessThan(1).isEqualTo(UserRank.of(user, 480_000));
            low += rank < 0.25 ? 1 : 0;
            moved += Math.abs(rank - UserRank.of(user, 480_001)) > 0.1 ? 1 : 0;
        }
        assertThat(low).isBetween(2350, 2650);
        assertThat(moved)
                .as("81 % of pairs of uniform numbers are further apart")
                .isBetween(7900, 8300);
        assertThat(UserRank.of(-1, -1)).isBetween(0f, 0.9999999f);
    }
}

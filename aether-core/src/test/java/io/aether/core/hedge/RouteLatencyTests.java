// SPDX-License-Identifier: Apache-2.0
package io.aether.core.hedge;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

class RouteLatencyTests {
    private static final long MILLI = 1_000_000;

    private final RouteLatency latency = new RouteLatency(0);

    @Test
    void everyLatencyLiesBelowItsStepsEndAndNotFarBelow() {
        for (long nanos = 1; nanos < 60_000 * MILLI; nanos += 1 + nanos / 7) {
            long upper = RouteLatency.upperNanos(RouteLatency.bucket(nanos));
            assertThat(upper).isGreaterThan(nanos);
            assertThat((double) upper).isLessThanOrEqualTo(nanos * 1.126 + 16_384);
        }
        assertThat(RouteLatency.bucket(-5)).isZero();
        assertThat(RouteLatency.bucket(Long.MAX_VALUE)).isEqualTo(RouteLatency.bucket(67_000 * MILLI));
    }

    @Test
    void saysNothingBeforeTwentyAnswers() {
        for (int i = 0; i < 19; i++) {
            latency.observe(MILLI, i);
            assertThat(latency.p95Nanos()).isEqualTo(RouteLatency.UNKNOWN);
        }
        for (int i = 0; i < 16; i++) {
            latency.observe(MILLI, i);
        }
        assertThat((double) latency.p95Nanos()).isBetween(MILLI * 1.0, MILLI * 1.13);
    }

    @Test
    void isThe95thPercentileWithinAnEighth() {
        Random random = new Random(7);
        long[] all = new long[960];
        for (int i = 0; i < all.length; i++) {
            all[i] = (long) (MILLI * 5 * Math.exp(random.nextGaussian()));
            latency.observe(all[i], 0);
        }
        Arrays.sort(all);
        long exact = all[(int) (all.length * 0.95)];
        assertThat((double) latency.p95Nanos()).isBetween(exact * 0.97, exact * 1.15);
    }

    @Test
    void followsWhatChanges() {
        feed(2000, 2 * MILLI, 0);
        feed(2000, 20 * MILLI, 0);
        assertThat((double) latency.p95Nanos()).isBetween(20.0 * MILLI, 22.6 * MILLI);
        feed(20_000, 2 * MILLI, 0);
        assertThat((double) latency.p95Nanos()).isBetween(2.0 * MILLI, 2.3 * MILLI);
    }

    @Test
    void forgetsByTheClockToo() {
        feed(400, 20 * MILLI, 0);
        long now = 0;
        for (int i = 0; i < 160; i++) {
            now += 1_000 * MILLI;
            latency.observe(2 * MILLI, now);
        }
        // 400 old ones are twelve after five half-lives, less than a twentieth of these.
        feed(320, 2 * MILLI, now);
        assertThat((double) latency.p95Nanos()).isBetween(2.0 * MILLI, 2.3 * MILLI);
    }

    @Test
    void whatWasOvertakenCountsAmongTheSlowest() {
        feed(320, 2 * MILLI, 0);
        long before = latency.p95Nanos();
        for (int i = 0; i < 16; i++) {
            latency.observeAtLeast(1, 0);
        }
        assertThat(latency.p95Nanos()).isGreaterThanOrEqualTo(before);
        for (int i = 0; i < 320; i++) {
            latency.observeAtLeast(1, 0);
        }
        assertThat(latency.p95Nanos()).isGreaterThanOrEqualTo(before);
    }

    private void feed(int count, long nanos, long now) {
        for (int i = 0; i < count; i++) {
            latency.observe(nanos, now);
        }
    }
}

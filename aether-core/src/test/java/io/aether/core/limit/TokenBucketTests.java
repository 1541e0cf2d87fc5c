// SPDX-License-Identifier: Apache-2.0
package io.aether.core.limit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TokenBucketTests {
    private static final long SECOND = 1_000_000_000L;
    private static final float BURST = 5;

    private final TokenBucket bucket = new TokenBucket();
    private long now = 7 * SECOND;

    private int take(double rate) {
        int taken = 0;
        while (bucket.take(now, 1, rate, BURST)) {
            taken++;
        }
        return taken;
    }

    @ParameterizedTest
    @ValueSource(doubles = {1, 7.3, 400, 100_000})
    void passesTheRateAndNotMore(double rate) {
        bucket.fill(0, now);
        long step = (long) (SECOND / rate / 3);
        int taken = 0;
        for (int i = 0; i < 3_000; i++) {
            now += step;
            taken += take(rate);
        }
        assertThat((double) taken).isCloseTo(1000, within(2.0));
    }

    @Test
    void aBurstIsWhatWasSaved() {
        bucket.fill(0, now);
        now += 60 * SECOND;
        assertThat(take(10)).isEqualTo(5);
    }

    @Test
    void aNewRateHoldsAtOnceAndGivesNothingAway() {
        bucket.fill(0, now);
        assertThat(take(1000)).isZero();
        assertThat(take(1)).isZero();
        now += SECOND / 100;
        assertThat(bucket.level(now, 1, BURST)).isCloseTo(0.01f, within(0.001f));
    }

    @Test
    void aClockThatGoesBackBlocksNobody() {
        bucket.fill(0, now);
        now -= 3600 * SECOND;
        assertThat(take(10)).as("fails open").isEqualTo(5);
        now += SECOND + SECOND / 100;
        assertThat(take(3)).as("and counts from there").isEqualTo(3);
    }

    @Test
    void aThreadThatIsLateGetsNothingTwice() {
        bucket.fill(0, now);
        now += SECOND / 10;
        assertThat(take(11)).isEqualTo(1);
        long late = now - SECOND / 20;
        assertThat(bucket.take(late, 1, 11, BURST)).isFalse();
        bucket.force(late, 11, BURST);
        now += SECOND / 10;
        assertThat(take(11)).as("the debt is paid first").isZero();
    }

    @Test
    void nothingAndNotANumberPassNothing() {
        bucket.fill(0, now);
        now += SECOND;
        assertThat(take(0)).isZero();
        assertThat(take(Double.NaN)).isZero();
    }

    @Test
    void threadsShareTheRate() throws Exception {
        bucket.fill(1000, now);
        AtomicInteger taken = new AtomicInteger();
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            Thread thread = new Thread(() -> {
                for (int j = 0; j < 1000; j++) {
                    if (bucket.take(now, 1, 1, 1000)) {
                        taken.incrementAndGet();
                    }
                }
            });
            threads.add(thread);
            thread.start();
        }
        for (Thread thread : threads) {
            thread.join();
        }
        assertThat(taken).hasValue(1000);
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.aether.core.hedge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class HedgeBudgetTests {

    private final HedgeBudget budget = new HedgeBudget(0.05);

    private void send(int requests) {
        for (int i = 0; i < requests; i++) {
            budget.sent();
        }
    }

    private int takeAll(int reserve) {
        int taken = 0;
        while (budget.take(reserve)) {
            taken++;
        }
        return taken;
    }

    @Test
    void startsEmptyAndNeverGrantsMoreThanItsShare() {
        int taken = 0;
        for (int sent = 1; sent <= 10_000; sent++) {
            budget.sent();
            taken += takeAll(0);
            assertThat(taken).isLessThanOrEqualTo(sent / 20);
        }
        assertThat(taken).isEqualTo(500);
    }

    @Test
    void savesTen() {
        send(100_000);
        assertThat(takeAll(0)).isEqualTo(HedgeBudget.MOST);
    }

    @Test
    void leavesSomeToThoseWhoNeedThemMore() {
        send(100_000);
        assertThat(takeAll(HedgeBudget.RESERVE)).isEqualTo(HedgeBudget.MOST - HedgeBudget.RESERVE);
        assertThat(takeAll(0)).isEqualTo(HedgeBudget.RESERVE);
    }

    @Test
    void manyThreadsTakeNoMoreThanThereIs() throws InterruptedException {
        AtomicInteger taken = new AtomicInteger();
        CountDownLatch start = new CountDownLatch(1);
        Thread[] threads = IntStream.range(0, 4)
                .mapToObj(i -> new Thread(() -> {
                    try {
                        start.await();
                    } catch (InterruptedException e) {
                        return;
                    }
                    for (int sent = 0; sent < 20_000; sent++) {
                        budget.sent();
                        taken.addAndGet(budget.take(0) ? 1 : 0);
                    }
                }))
                .toArray(Thread[]::new);
        for (Thread thread : threads) {
            thread.start();
        }
        start.countDown();
        for (Thread thread : threads) {
            thread.join();
        }
        assertThat(taken.get() + takeAll(0)).isBetween(3_990, 4_000);
    }

    @Test
    void settingsNameWhatIsWrong() {
        assertThatThrownBy(() -> new HedgeSettings(0.06, Duration.ofMillis(1))).hasMessageContaining("share");
        assertThatThrownBy(() -> new HedgeSettings(Double.NaN, Duration.ofMillis(1)))
                .hasMessageContaining("share");
        assertThatThrownBy(() -> new HedgeSettings(0.05, Duration.ZERO)).hasMessageContaining("leastDelay");
        assertThatThrownBy(() -> new HedgeSettings(0.05, Duration.ofHours(1))).hasMessageContaining("leastDelay");
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.aether.core.hedge;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class HedgerTests {
    private static final long MILLI = 1_000_000;
    private static final double CALM = 0;

    private long now = 1_000 * MILLI;
    private final Hedger hedger = new Hedger(new HedgeSettings(0.05, Duration.ofMillis(2)), () -> now);

    private void answers(int count, long nanos) {
        for (int i = 0; i < count; i++) {
            long sent = hedger.sent();
            now += nanos;
            hedger.answered(sent);
        }
    }

    @Test
    void knowsNoDelayAtFirstButAStallIsAStall() {
        long sent = hedger.sent();
        assertThat(hedger.delayNanos()).isEqualTo(Long.MAX_VALUE);
        now += 10_000 * MILLI;
        assertThat(hedger.due(sent, false)).isNull();
        assertThat(hedger.due(sent, true)).isEqualTo(HedgeCause.STALLED);
    }

    @Test
    void isDueAfterTheRoutesP95() {
        answers(100, 10 * MILLI);
        long sent = hedger.sent();
        now += 10 * MILLI - 1;
        assertThat(hedger.due(sent, false)).isNull();
        now += 2 * MILLI;
        assertThat(hedger.due(sent, false)).isEqualTo(HedgeCause.SLOW);
    }

    @Test
    void neverBeforeTheLeastDelay() {
        answers(100, MILLI / 10);
        assertThat(hedger.delayNanos()).isEqualTo(2 * MILLI);
    }

    @Test
    void looksAtTheDelayAndOftenEnoughForAStall() {
        answers(100, 12 * MILLI);
        long delay = hedger.delayNanos();
        long sent = hedger.sent();
        assertThat(hedger.lookInNanos(sent)).isEqualTo(Hedger.LOOK_NANOS);
        now += 2 * Hedger.LOOK_NANOS;
        assertThat(hedger.lookInNanos(sent)).isEqualTo(delay - 2 * Hedger.LOOK_NANOS);
        now += delay;
        assertThat(hedger.lookInNanos(sent)).isEqualTo(Hedger.LOOK_NANOS);
        now += 800 * MILLI;
        assertThat(hedger.lookInNanos(sent)).isGreaterThan(100 * MILLI);
    }

    @Test
    void staysWithinFivePercentHoweverOftenItIsAsked() {
        for (int i = 0; i < 10_000; i++) {
            hedger.sent();
            hedger.take(HedgeCause.SLOW, CALM, false);
            hedger.take(HedgeCause.STALLED, CALM, false);
        }
        HedgerSnapshot counts = hedger.snapshot();
        assertThat(counts.hedges()).isBetween(499L, 500L);
        assertThat(counts.calls()).isEqualTo(10_000);
        assertThat(counts.overBudget()).isEqualTo(20_000 - counts.hedges());
    }

    @Test
    void theKernelIsServedWhenTheClockIsNot() {
        answers(200, MILLI);
        while (hedger.take(HedgeCause.SLOW, CALM, false)) {
            // All that the clock may have.
        }
        assertThat(hedger.take(HedgeCause.STALLED, CALM, false)).isTrue();
    }

    @Test
    void nothingWhileTheBranchIsMarked() {
        answers(200, MILLI);
        assertThat(hedger.take(HedgeCause.STALLED, 0.051, false)).isFalse();
        assertThat(hedger.take(HedgeCause.STALLED, Double.NaN, false)).isFalse();
        assertThat(hedger.take(HedgeCause.STALLED, 0.05, false)).isTrue();
        assertThat(hedger.snapshot().marked()).isEqualTo(2);
        assertThat(hedger.snapshot().hedges()).isOne();
    }

    @Test
    void aCallThatIsDeniedAgainAndAgainCountsOnce() {
        hedger.take(HedgeCause.SLOW, CALM, false);
        hedger.take(HedgeCause.SLOW, CALM, true);
        hedger.nobody(true);
        assertThat(hedger.snapshot().overBudget()).isOne();
        assertThat(hedger.snapshot().nobody()).isZero();
    }

    @Test
    void hedgesDoNotBegetHedges() {
        answers(400, 10 * MILLI);
        long delay = hedger.delayNanos();
        for (int i = 0; i < 2_000; i++) {
            // Every tenth is slow and is overtaken: more than its share, so the delay grows rather than shrinks.
            long sent = hedger.sent();
            now += i % 10 == 0 ? delay + MILLI : 10 * MILLI;
            if (i % 10 == 0) {
                hedger.overtaken(sent);
            } else {
                hedger.answered(sent);
            }
        }
        assertThat(hedger.delayNanos()).isGreaterThanOrEqualTo(delay);
        assertThat(hedger.snapshot().won()).isEqualTo(200);
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.aether.core.limit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class BranchLimiterTests {
    private static final long MILLI = 1_000_000L;
    private static final long WINDOW = 50 * MILLI;
    private static final LimitSettings SETTINGS = LimitSettings.defaults().withGrace(Duration.ZERO);

    private final long[] now = {Long.MAX_VALUE - 3_600_000 * MILLI}; // The clock wraps after an hour.
    private final BranchLimiter limiter = new BranchLimiter(SETTINGS, () -> now[0]);
    private final PeerMarks peer = new PeerMarks();
    private long marked = 1000;
    private long clean = 50_000;

    private void tick() {
        now[0] += WINDOW;
        limiter.marks(peer(0, 0));
        limiter.tick();
    }

    private PeerMarks peer(long newMarked, long newClean) {
        marked += newMarked;
        clean += newClean;
        peer.read(marked, clean);
        return peer;
    }

    /** Sends and answers at a rate for some windows; what is marked of it is given. */
    private void serve(int perWindow, double share, int windows) {
        for (int i = 0; i < windows; i++) {
            for (int j = 0; j < perWindow; j++) {
                if (limiter.tryAcquire(Priority.CRITICAL)) {
                    limiter.answered();
                }
                now[0] += WINDOW / perWindow;
            }
            long ce = Math.round(2 * perWindow * share);
            limiter.marks(peer(ce, 2L * perWindow - ce));
            limiter.tick();
        }
    }

    /** Marks as a server would that has this capacity. */
    private void steer(double capacity) {
        boolean more = limiter.rate() > capacity;
        limiter.marks(peer(more ? 20 : 5, more ? 20 : 35));
        limiter.tick();
    }

    private void refuse() {
        if (limiter.tryAcquire(Priority.CRITICAL)) {
            limiter.refused();
        }
    }

    @Test
    void passesEverythingUntilToldOtherwise() {
        for (int i = 0; i < 10_000; i++) {
            assertThat(limiter.tryAcquire(Priority.BULK)).isTrue();
        }
        assertThat(limiter.waitNanos(Priority.BULK, 0)).isZero();
        assertThat(limiter.snapshot().rate()).isEqualTo(LimitLaw.OPEN);
    }

    @Test
    void aRefusalLimitsAtOnceWithoutWaitingForTheWindow() {
        serve(10, 0, 40);
        now[0] += MILLI;
        refuse();
        assertThat(limiter.rate()).isBetween(150.0, 260.0);
        assertThat(limiter.snapshot().engagements()).isEqualTo(1);
    }

    @Test
    void marksLimitAndTheirEndReleases() {
        serve(10, 0, 40);
        serve(10, 0.5, 2);
        assertThat(limiter.rate()).isNotEqualTo(LimitLaw.OPEN);
        serve(10, 0, 80);
        assertThat(limiter.rate()).isEqualTo(LimitLaw.OPEN);
    }

    @Test
    void whatIsMarkedIsSentLess() {
        serve(20, 0, 40);
        serve(20, 0.9, 40);
        long before = limiter.snapshot().sent();
        serve(20, 0.9, 20);
        assertThat((double) limiter.snapshot().sent() - before)
                .as("of 400 wanted")
                .isLessThan(200);
    }

    @Test
    void onlyWatchesDuringTheGracePeriod() {
        BranchLimiter young = new BranchLimiter(LimitSettings.defaults(), () -> now[0]);
        young.tryAcquire(Priority.CRITICAL);
        young.refused();
        assertThat(young.rate()).isEqualTo(LimitLaw.OPEN);
        now[0] += 3000 * MILLI;
        young.tryAcquire(Priority.CRITICAL);
        young.refused();
        assertThat(young.rate()).isNotEqualTo(LimitLaw.OPEN);
    }

    @Test
    void withoutJudgementsEverythingPasses() {
        refuse();
        while (limiter.tryAcquire(Priority.CRITICAL)) {}
        now[0] += 2001 * MILLI;
        for (int i = 0; i < 100; i++) {
            assertThat(limiter.tryAcquire(Priority.BULK)).isTrue();
        }
        assertThat(limiter.snapshot().passedStale()).isEqualTo(100);
        assertThat(limiter.waitNanos(Priority.BULK, 0)).isZero();
    }

    @Test
    void forgivesWhenWhoToldOfMarksIsGone() {
        refuse();
        limiter.forgive();
        assertThat(limiter.rate()).isEqualTo(LimitLaw.OPEN);
        tick();
        assertThat(limiter.rate()).isEqualTo(LimitLaw.OPEN);
        refuse();
        assertThat(limiter.rate()).as("refusals still limit").isNotEqualTo(LimitLaw.OPEN);
    }

    @Test
    void tiersPassAboveTheirReservesAndBulkKeepsAFloor() {
        serve(20, 0, 40);
        refuse();
        Map<Priority, Integer> passed = new EnumMap<>(Priority.class);
        int steps = 4000;
        double rates = 0;
        for (int i = 0; i < steps; i++) {
            now[0] += 5 * MILLI;
            for (Priority priority : Priority.values()) {
                // One of each 5 ms: 200 a second of each tier.
                if (limiter.tryAcquire(priority)) {
                    passed.merge(priority, 1, Integer::sum);
                    limiter.answered();
                }
            }
            rates += limiter.rate() * 0.005;
            if (i % 10 == 9) {
                steer(400);
            }
        }
        assertThat(passed.get(Priority.CRITICAL)).isGreaterThan((int) (0.99 * steps));
        assertThat(passed.get(Priority.BULK)).isLessThan(steps / 2);
        assertThat((double) passed.get(Priority.BULK)).isGreaterThan(0.018 * rates);
        assertThat(passed.values().stream().mapToInt(Integer::intValue).sum())
                .isLessThanOrEqualTo((int) (1.01 * rates + 50));
    }

    @Test
    void criticalMayTakeAgainWhatLowerTiersTook() {
        serve(20, 0, 40);
        refuse();
        now[0] += 1000 * MILLI;
        int room = limiter.available();
        for (int i = 0; i < 10; i++) {
            assertThat(limiter.tryAcquire(Priority.DEGRADED)).isTrue();
        }
        int passed = 0;
        while (limiter.tryAcquire(Priority.CRITICAL)) {
            passed++;
        }
        assertThat(passed).isEqualTo(room);
        assertThat(limiter.available()).isZero();
        assertThat((double) limiter.waitNanos(Priority.CRITICAL, UserRank.NOBODY))
                .as("and the debt is paid first")
                .isGreaterThan(10e9 / limiter.rate());
    }

    @Test
    void aUserIsRefusedForAllCallsOrForNone() {
        serve(50, 0, 100);
        refuse();
        Random random = new Random(1);
        int whole = 0;
        int none = 0;
        int requests = 4000;
        for (int i = 0; i < requests; i++) {
            now[0] += 2 * MILLI;
            float rank = UserRank.of(random.nextInt(1000), 12);
            int passed = 0;
            for (int call = 0; call < 4; call++) {
                // 500 requests of four calls a second, against a limit of about 1,000 calls a second.
                if (limiter.tryAcquire(Priority.CRITICAL, rank)) {
                    limiter.answered();
                    passed++;
                }
            }
            whole += passed == 4 ? 1 : 0;
            none += passed == 0 ? 1 : 0;
            if (i % 25 == 24) {
                steer(1000);
            }
        }
        assertThat((double) (whole + none) / requests).isGreaterThan(0.75);
    }

    @Test
    void waitsAreWhatTheyAre() {
        refuse();
        while (limiter.tryAcquire(Priority.CRITICAL)) {}
        long wait = limiter.waitNanos(Priority.CRITICAL, UserRank.NOBODY);
        assertThat(wait).isPositive();
        assertThat(limiter.waitNanos(Priority.BULK, 0.5f)).isGreaterThan(wait);
        now[0] += wait - 2 * MILLI;
        assertThat(limiter.tryAcquire(Priority.CRITICAL)).isFalse();
        now[0] += 4 * MILLI;
        assertThat(limiter.tryAcquire(Priority.CRITICAL)).isTrue();
    }

    @Test
    void aBranchOfOneRequestAMinuteGetsIt() {
        refuse();
        for (int minute = 0; minute < 10; minute++) {
            for (int i = 0; i < 1200; i++) {
                tick();
            }
            assertThat(limiter.tryAcquire(Priority.BULK, 0.99f)).isTrue();
            limiter.refused();
        }
    }

    @Test
    void survivesClockJumps() {
        serve(10, 0, 40);
        refuse();
        double before = limiter.rate();
        now[0] -= 3_600_000 * MILLI;
        limiter.tick();
        now[0] += 86_400_000 * MILLI;
        limiter.tick();
        assertThat(limiter.snapshot().clockJumps()).isEqualTo(2);
        assertThat(limiter.rate()).isEqualTo(before);
        serve(10, 0, 5);
        assertThat(limiter.snapshot().sent()).isGreaterThan(440);
    }

    @Test
    void oddRanksCountAsNobody() {
        refuse();
        for (float rank : new float[] {Float.NaN, -1, 1, Float.POSITIVE_INFINITY}) {
            assertThat((double) limiter.waitNanos(Priority.CRITICAL, rank))
                    .isCloseTo(limiter.waitNanos(Priority.CRITICAL, UserRank.NOBODY), within(1.0));
        }
    }

    @Test
    void wrongTimesAreRefusedByName() {
        assertThatThrownBy(() -> new LimitSettings(
                        Duration.ofMillis(5), Duration.ofSeconds(3), Duration.ZERO, Duration.ofSeconds(2)))
                .hasMessageContaining("window must be 10 ms to 1 s");
    }

    @Test
    void whoFollowsTakesTokensThatTheNextWaitFor() {
        serve(10, 0, 40);
        assertThat(limiter.limited()).isFalse();
        refuse();
        assertThat(limiter.limited()).isTrue();
        while (limiter.tryAcquire(Priority.CRITICAL)) {
            limiter.answered();
        }
        long before = limiter.waitNanos(Priority.CRITICAL, UserRank.NOBODY);
        limiter.follow();
        limiter.follow();
        limiter.follow();
        assertThat(limiter.inFlight()).isEqualTo(3);
        double tokens = (limiter.waitNanos(Priority.CRITICAL, UserRank.NOBODY) - before) / 1e9 * limiter.rate();
        assertThat(tokens).isCloseTo(3, within(0.01));
    }

    @Test
    void theBestRungThatIsLiveIsTold() {
        assertThat(limiter.rung()).isEqualTo(Rung.STATUS);
        limiter.answered(0);
        now[0] += WINDOW;
        limiter.tick();
        assertThat(limiter.rung()).isEqualTo(Rung.HEADER);
        limiter.told(0);
        now[0] += WINDOW;
        limiter.tick();
        assertThat(limiter.rung()).isEqualTo(Rung.REPORT);
        serve(2, 0, 2);
        assertThat(limiter.rung()).isEqualTo(Rung.MARKS);
        limiter.told(-1);
        for (int i = 0; i < 20; i++) {
            now[0] += WINDOW;
            limiter.tick();
        }
        assertThat(limiter.rung()).isEqualTo(Rung.STATUS);
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.aether.core.limit;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class RetryBudgetTests {
    private static final long SECOND = 1_000_000_000L;
    private static final double CALM = 0;

    private long now = 7 * SECOND;
    private final RetryBudget budget = new RetryBudget(() -> now);

    private int retries(int requests, long stepNanos) {
        int granted = 0;
        for (int i = 0; i < requests; i++) {
            now += stepNanos;
            budget.sent();
            granted += tryRetry(CALM) ? 1 : 0;
        }
        return granted;
    }

    /** As a caller that retries when it may. */
    private boolean tryRetry(double fraction) {
        if (budget.grants(fraction)) {
            budget.spend();
            return true;
        }
        budget.deny();
        return false;
    }

    @Test
    void startsWithTenAndThenGrantsATenth() {
        assertThat(retries(10, 0)).isEqualTo(10);
        retries(100, SECOND / 1000);
        int granted = retries(10_000, SECOND / 1000);
        // A tenth of the requests, and a tenth of a retry for each of the ten seconds.
        assertThat(granted).isBetween(995, 1005);
        assertThat(budget.deniedTotal()).isGreaterThan(9_000);
        assertThat(budget.spentTotal()).isEqualTo(10 + 10 + granted);
    }

    @Test
    void oneRequestAMinuteMayAlwaysBeRetried() {
        assertThat(retries(200, 60 * SECOND)).isEqualTo(200);
    }

    @Test
    void grantsNothingWhileTheBranchIsMarked() {
        assertThat(budget.grants(0.06)).isFalse();
        assertThat(tryRetry(0.06)).isFalse();
        assertThat(tryRetry(Double.NaN)).isFalse();
        assertThat(budget.grants(0.05)).isTrue();
        assertThat(tryRetry(0.05)).isTrue();
    }

    @Test
    void askingTakesNothing() {
        for (int i = 0; i < 100; i++) {
            assertThat(budget.grants(CALM)).isTrue();
        }
        for (int i = 0; i < 10; i++) {
            budget.spend();
        }
        assertThat(budget.grants(CALM)).isFalse();
        assertThat(budget.spentTotal()).isEqualTo(10);
    }

    @Test
    void whatWasGrantedAtOnceIsPaidBack() {
        for (int i = 0; i < 15; i++) {
            budget.spend();
        }
        for (int i = 0; i < 59; i++) {
            budget.sent();
        }
        assertThat(budget.grants(CALM)).isFalse();
        budget.sent();
        budget.sent();
        assertThat(budget.grants(CALM)).isTrue();
    }

    @Test
    void savesNoMoreThanTen() {
        retries(0, 0);
        now += 3600 * SECOND;
        for (int i = 0; i < 10_000; i++) {
            budget.sent();
        }
        int granted = 0;
        while (tryRetry(CALM)) {
            granted++;
        }
        assertThat(granted).isEqualTo(10);
    }

    @Test
    void aClockThatGoesBackLocksNobodyOut() {
        retries(100, 0);
        now -= 3600 * SECOND;
        assertThat(tryRetry(CALM)).isTrue();
        now += 7200 * SECOND;
        assertThat(tryRetry(CALM)).isTrue();
    }
}

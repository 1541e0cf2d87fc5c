// SPDX-License-Identifier: Apache-2.0
package io.aether.core.hedge;

/**
 * A hedger at one moment; the counts are totals since it was created.
 *
 * @param delayNanos see {@link Hedger#delayNanos()}
 * @param calls first attempts
 * @param slow second attempts that the clock asked for
 * @param stalled second attempts that the kernel asked for
 * @param won second attempts that were answered first
 * @param overBudget times that a second attempt was not granted for want of budget
 * @param marked times that it was not because the branch was marked
 * @param nobody times that it was not because no instance was better off
 */
public record HedgerSnapshot(
        long delayNanos, long calls, long slow, long stalled, long won, long overBudget, long marked, long nobody) {

    /** All second attempts. */
    public long hedges() {
        return slow + stalled;
    }
}

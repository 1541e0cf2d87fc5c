// SPDX-License-Identifier: Apache-2.0
package io.aether.core.score;

/**
 * What a server's word of its utilization means for its latency. Pure.
 *
 * <p>A hint: nobody is picked for it, and nobody is avoided by more than {@link #MOST} times. Below {@link #FREE_PERCENT} it says nothing,
 * for a server that is not busy answers as quickly as one that is idle; and it fades within a second, because a load that many
 * clients saw a moment ago is one that they all fled from meanwhile.
 */
public final class LoadHint {
    static final int FREE_PERCENT = 70;
    static final double MOST = 1.5;

    private LoadHint() {}

    /** In [1, {@link #MOST}], to multiply a latency by; {@code heard} as {@link Heard} packs it. */
    public static double factor(long heard, long now) {
        if (!Heard.utilizationAbove(heard, FREE_PERCENT)) {
            return 1;
        }
        double busy = Heard.utilization(heard) - FREE_PERCENT / 100.0;
        double age = Heard.ageNanos(heard, now);
        double left = (Freshness.NONE_NANOS - age) / (Freshness.NONE_NANOS - Freshness.FULL_NANOS);
        return 1 + Math.min(MOST - 1, busy) * Math.max(0, Math.min(1, left));
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.aether.core.score;

/**
 * A server's own word of its utilization and the time it came, packed into one long as {@link Latency} does: the utilization as a
 * float above, the time in units of 2^20 ns below. 0 is "never heard". Pure.
 *
 * <p>A hint: nobody is picked for it, and nobody is avoided by more than {@link #MOST} times. Below {@link #FREE} it says nothing,
 * for a server that is not busy answers as quickly as one that is idle; and it fades within a second, because a load that many
 * clients saw a moment ago is one that they all fled from meanwhile.
 */
public final class LoadHint {
    static final double FREE = 0.7;
    static final double MOST = 1.5;

    private LoadHint() {}

    /** The word for a utilization heard at {@code now}. */
    public static long of(double utilization, long now) {
        // Above zero, so that no word is taken for "never heard".
        return Latency.pack(Math.max(1e-6, utilization), now);
    }

    /** The utilization. */
    public static double utilization(long word) {
        return Latency.raw(word);
    }

    /** In [1, {@link #MOST}], to multiply a latency by. */
    public static double factor(long word, long now) {
        double busy = Latency.raw(word) - FREE;
        if (word == 0 || !(busy > 0)) {
            return 1;
        }
        double age = Latency.ageNanos(word, now);
        double left = (Freshness.NONE_NANOS - age) / (Freshness.NONE_NANOS - Freshness.FULL_NANOS);
        return 1 + Math.min(MOST - 1, busy) * Math.max(0, Math.min(1, left));
    }
}

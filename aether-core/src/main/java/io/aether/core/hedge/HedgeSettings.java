// SPDX-License-Identifier: Apache-2.0
package io.aether.core.hedge;

import java.time.Duration;

/**
 * The hedger's constants.
 *
 * @param share second attempts for each first one in the long run, above 0 to {@value #MOST_SHARE}
 * @param leastDelay time before which the clock alone sends no second attempt, 100 us to 1 min: below a millisecond or so timers
 *     are as late as the answers
 */
public record HedgeSettings(double share, Duration leastDelay) {
    /** The slowest twentieth: more costs servers more than it saves callers. "The Tail at Scale" (Dean, Barroso 2013) gains most with 2 %. */
    public static final double MOST_SHARE = 0.05;

    public HedgeSettings {
        if (!(share > 0 && share <= MOST_SHARE)) {
            throw new IllegalArgumentException("share must be above 0 and at most " + MOST_SHARE + ", is " + share);
        }
        if (leastDelay.toNanos() < 100_000 || leastDelay.compareTo(Duration.ofMinutes(1)) > 0) {
            throw new IllegalArgumentException("leastDelay must be 100 us to 1 min, is " + leastDelay);
        }
    }

    public static HedgeSettings defaults() {
        return new HedgeSettings(MOST_SHARE, Duration.ofMillis(1));
    }
}

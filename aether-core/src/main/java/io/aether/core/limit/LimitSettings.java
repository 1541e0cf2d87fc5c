// SPDX-License-Identifier: Apache-2.0
package io.aether.core.limit;

import java.time.Duration;

/**
 * The limiter's times.
 *
 * @param window how often the law judges; it is never extended, 10 ms to 1 s
 * @param release how long a branch must be free of congestion and of refusals of our own until the limit is lifted
 * @param grace how long after its creation a limiter only watches: caches, connections and compilers are cold then, and
 *     every server looks overloaded
 * @param stale how long the law may go without judging before everything passes
 */
public record LimitSettings(Duration window, Duration release, Duration grace, Duration stale) {

    public LimitSettings {
        require(between(window, 10, 1000), "window", "10 ms to 1 s", window);
        require(between(release, 100, 600_000), "release", "100 ms to 10 min", release);
        require(between(grace, 0, 600_000), "grace", "0 to 10 min", grace);
        require(stale.compareTo(window.multipliedBy(2)) >= 0, "stale", "at least two windows", stale);
    }

    public static LimitSettings defaults() {
        return new LimitSettings(
                Duration.ofMillis(50), Duration.ofSeconds(3), Duration.ofSeconds(3), Duration.ofSeconds(2));
    }

    /** These with another grace period. */
    public LimitSettings withGrace(Duration other) {
        return new LimitSettings(window, release, other, stale);
    }

    private static boolean between(Duration value, long leastMillis, long mostMillis) {
        return value.compareTo(Duration.ofMillis(leastMillis)) >= 0
                && value.compareTo(Duration.ofMillis(mostMillis)) <= 0;
    }

    private static void require(boolean holds, String name, String range, Object value) {
        if (!holds) {
            throw new IllegalArgumentException(name + " must be " + range + ", is " + value);
        }
    }
}

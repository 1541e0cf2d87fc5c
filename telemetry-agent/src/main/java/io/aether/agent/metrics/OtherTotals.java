// SPDX-License-Identifier: Apache-2.0
package io.aether.agent.metrics;

import java.util.HashMap;
import java.util.Map;

/**
 * Counters of everything that is not shown by name, added up so that the sum never falls when a key moves between
 * "shown" and "the rest": only growth since the last look is added. Holds one entry per key that exists, so it is
 * bounded by what it is asked about. Not thread-safe.
 */
final class OtherTotals<K> {
    private final long[] sum;
    private Map<K, long[]> last = new HashMap<>();
    private boolean used;

    /** @param counters how many counters each key has */
    OtherTotals(int counters) {
        sum = new long[counters];
    }

    /**
     * Takes one look at all keys.
     *
     * @param shown counters of the keys with a series of their own
     * @param rest counters of the keys without
     * @return the running sums of the rest
     */
    long[] update(Map<K, long[]> shown, Map<K, long[]> rest) {
        rest.forEach((key, now) -> {
            used = true;
            long[] before = last.get(key);
            for (int i = 0; i < sum.length; i++) {
                long growth = before == null ? now[i] : now[i] - before[i];
                // A key that came back after a pause starts from zero: its new total is the growth.
                sum[i] += growth < 0 ? now[i] : growth;
            }
        });
        Map<K, long[]> seen = new HashMap<>(shown);
        seen.putAll(rest);
        last = seen;
        return sum.clone();
    }

    /** Whether there was ever anything to add up. */
    boolean used() {
        return used;
    }
}

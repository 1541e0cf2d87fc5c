// SPDX-License-Identifier: Apache-2.0
package io.aether.starter.server;

import java.util.Arrays;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * How long requests took that arrived while so many others were in flight: the last {@value #SAMPLES} of each level of load, in
 * levels of one up to 15 and of a quarter of a doubling above. Latency alone tells of the load that was; with the load it came
 * under it tells what a request that comes now has to expect (Prequal, NSDI '24, section 4).
 *
 * <p>Thread-safe, lock-free; observing allocates nothing.
 */
final class LatencyByLoad {
    private static final int SAMPLES = 8;
    private static final int EXACT = 16;
    private static final int LEVELS = 64;

    private final AtomicLongArray samples = new AtomicLongArray(LEVELS * SAMPLES);
    private final AtomicIntegerArray next = new AtomicIntegerArray(LEVELS);

    /** A request took {@code nanos} that found {@code others} in flight. */
    void observe(int others, long nanos) {
        int level = level(others);
        int slot = next.getAndIncrement(level) & (SAMPLES - 1);
        samples.set(level * SAMPLES + slot, Math.max(1, nanos));
    }

    /** The median at this load, or at the nearest of which there are answers; 0 without any. */
    long medianNanos(int others) {
        int level = level(others);
        for (int distance = 0; distance < LEVELS; distance++) {
            long below = level - distance < 0 ? 0 : median(level - distance);
            long found = below != 0 || level + distance >= LEVELS ? below : median(level + distance);
            if (found != 0) {
                return found;
            }
        }
        return 0;
    }

    private long median(int level) {
        long[] known = new long[SAMPLES];
        int count = 0;
        for (int i = 0; i < SAMPLES; i++) {
            long nanos = samples.get(level * SAMPLES + i);
            if (nanos != 0) {
                known[count++] = nanos;
            }
        }
        Arrays.sort(known, 0, count);
        return count == 0 ? 0 : known[(count - 1) / 2];
    }

    static int level(int others) {
        if (others < EXACT) {
            return Math.max(0, others);
        }
        int power = 31 - Integer.numberOfLeadingZeros(others);
        return Math.min(LEVELS - 1, EXACT + (power - 4) * 4 + ((others >> (power - 2)) & 3));
    }
}

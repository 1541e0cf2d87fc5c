// SPDX-License-Identifier: Apache-2.0
package io.aether.core.limit;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * A token bucket whose rate may change at any moment. Level and time live in one word, so that both change in one
 * compare-and-set: tokens as a float above, time in units of 2^10 ns (1.02 us) below. The level counts in tokens, so a
 * change of the rate neither gives any away nor takes any, and holds for the very next request.
 *
 * <p>Resilience4j's own {@code AtomicRateLimiter} has cycles and a whole number of permits for each: a new limit holds
 * from the next cycle on, two bursts meet at a cycle's edge, and less than one per cycle cannot be said.
 *
 * <p>Thread-safe, lock-free, allocates nothing.
 */
final class TokenBucket {
    private static final VarHandle WORD = word();
    private static final int TIME_SHIFT = 10;
    private static final double UNIT_SECONDS = (1 << TIME_SHIFT) / 1e9;
    /** A thread may carry the time it read for this long before it is used; beyond, the clock went back. */
    private static final int LATE_UNITS = 1_000_000;
    /** Deepest debt, beside a burst. */
    private static final float LOWEST = -40;

    private volatile long word;

    /** Sets the level at {@code now}. */
    void fill(float tokens, long now) {
        word = pack(tokens, (int) (now >> TIME_SHIFT));
    }

    /**
     * Takes a token if the level is at least {@code needed}.
     *
     * @param needed 1 to {@code burst}
     * @param rate tokens per second
     * @param burst most tokens
     */
    boolean take(long now, float needed, double rate, float burst) {
        int time = (int) (now >> TIME_SHIFT);
        while (true) {
            long seen = word;
            float level = level(seen, time, rate, burst);
            if (!(level >= needed)) {
                return false;
            }
            if (WORD.compareAndSet(this, seen, pack(level - 1, later(seen, time)))) {
                return true;
            }
        }
    }

    /** Takes a token that is not there yet; the debt is bounded. */
    void force(long now, double rate, float burst) {
        int time = (int) (now >> TIME_SHIFT);
        long seen;
        float level;
        do {
            seen = word;
            level = Math.max(LOWEST - burst, level(seen, time, rate, burst) - 1);
        } while (!WORD.compareAndSet(this, seen, pack(level, later(seen, time))));
    }

    /** Puts tokens in beside the rate. */
    void add(long now, float tokens, double rate, float burst) {
        int time = (int) (now >> TIME_SHIFT);
        long seen;
        float level;
        do {
            seen = word;
            level = Math.min(burst, level(seen, time, rate, burst) + tokens);
        } while (!WORD.compareAndSet(this, seen, pack(level, later(seen, time))));
    }

    /** The tokens at {@code now}. */
    float level(long now, double rate, float burst) {
        return level(word, (int) (now >> TIME_SHIFT), rate, burst);
    }

    private static float level(long word, int time, double rate, float burst) {
        float level = Float.intBitsToFloat((int) (word >>> 32));
        int units = time - (int) word;
        if (units < 0) {
            // Looked at the clock before another thread did; or the clock went back, and waiting for it could take
            // ages.
            return units > -LATE_UNITS ? Math.min(level, burst) : burst;
        }
        return (float) Math.min(burst, level + units * UNIT_SECONDS * rate);
    }

    /** The time to write: never earlier than what is written, or the same time would be paid for twice. */
    private static int later(long word, int time) {
        int written = (int) word;
        int units = time - written;
        return units < 0 && units > -LATE_UNITS ? written : time;
    }

    private static long pack(float tokens, int time) {
        return (long) Float.floatToRawIntBits(tokens) << 32 | (time & 0xffffffffL);
    }

    private static VarHandle word() {
        try {
            return MethodHandles.lookup().findVarHandle(TokenBucket.class, "word", long.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }
}

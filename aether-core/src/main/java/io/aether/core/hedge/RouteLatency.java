// SPDX-License-Identifier: Apache-2.0
package io.aether.core.hedge;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;

/**
 * The 95th percentile of a route's latency: a histogram of eight steps for each doubling from 16 us to a minute, in which old
 * answers lose their weight by halves, every {@value #MOST} answers or half a minute. What it says is a step's upper end, so at
 * most an eighth too long and never too short.
 *
 * <p>Thread-safe, lock-free, allocates nothing after its creation. An answer that is counted while the counts are halved may
 * get lost; among hundreds that is nothing.
 */
final class RouteLatency {
    /** No hedge before this many answers: the twentieth largest of fewer is the largest, that is chance. */
    static final int LEAST = 20;

    static final long UNKNOWN = Long.MAX_VALUE;

    /** Sum of the counts from which they are halved: P95 then rests on 25 answers or more above it. */
    static final int MOST = 1000;

    static final long HALF_LIFE_NANOS = 30_000_000_000L;

    private static final double QUANTILE = 0.95;
    private static final int UNIT_SHIFT = 14;
    private static final int STEP_BITS = 3;
    private static final int STEPS = 1 << STEP_BITS;
    private static final int BUCKETS = 20 * STEPS;
    /** Answers between two looks at the histogram: 160 reads each time. */
    private static final int REFRESH = 16;

    private final AtomicIntegerArray counts = new AtomicIntegerArray(BUCKETS);
    private final AtomicInteger fresh = new AtomicInteger();
    private final AtomicBoolean refreshing = new AtomicBoolean();
    private volatile long halved;
    private volatile long p95 = UNKNOWN;

    RouteLatency(long now) {
        halved = now;
    }

    /** An answer took {@code nanos}. */
    void observe(long nanos, long now) {
        counts.incrementAndGet(bucket(nanos));
        if (fresh.incrementAndGet() >= REFRESH && refreshing.compareAndSet(false, true)) {
            fresh.set(0);
            refresh(now);
            refreshing.set(false);
        }
    }

    /** An answer would have taken longer than anyone had the patience for: it counts among the slowest. */
    void observeAtLeast(long nanos, long now) {
        long slow = p95;
        observe(slow == UNKNOWN ? nanos : Math.max(nanos, slow), now);
    }

    /** In nanoseconds; {@link #UNKNOWN} before {@value #LEAST} answers. */
    long p95Nanos() {
        return p95;
    }

    private void refresh(long now) {
        int sum = 0;
        for (int i = 0; i < BUCKETS; i++) {
            sum += counts.get(i);
        }
        if (sum >= MOST || (now - halved >= HALF_LIFE_NANOS && sum >= 2 * LEAST)) {
            halved = now;
            sum = halve();
        }
        p95 = sum < LEAST ? UNKNOWN : quantile(sum);
    }

    private int halve() {
        int sum = 0;
        for (int i = 0; i < BUCKETS; i++) {
            int half = counts.get(i) >> 1;
            counts.set(i, half);
            sum += half;
        }
        return sum;
    }

    private long quantile(int sum) {
        int rest = (int) Math.ceil(sum * QUANTILE);
        int i = -1;
        while (rest > 0 && i < BUCKETS - 1) {
            rest -= counts.get(++i);
        }
        return upperNanos(Math.max(0, i));
    }

    static int bucket(long nanos) {
        long units = Math.max(0, nanos) >> UNIT_SHIFT;
        if (units < STEPS) {
            return (int) units;
        }
        int power = 63 - Long.numberOfLeadingZeros(units);
        int step = (int) (units >> (power - STEP_BITS)) & (STEPS - 1);
        return Math.min(BUCKETS - 1, (power - STEP_BITS + 1) * STEPS + step);
    }

    static long upperNanos(int bucket) {
        if (bucket < STEPS) {
            return (bucket + 1L) << UNIT_SHIFT;
        }
        int power = bucket / STEPS - 1;
        return (STEPS + bucket % STEPS + 1L) << (power + UNIT_SHIFT);
    }
}

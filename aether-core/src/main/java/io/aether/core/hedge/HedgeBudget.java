// SPDX-License-Identifier: Apache-2.0
package io.aether.core.hedge;

import java.util.concurrent.atomic.AtomicLong;

/**
 * How many second attempts there may be: each first one adds a share of one, {@value #MOST} can be saved, and it starts empty. So
 * there are never more than that share of the first attempts, at any moment. What the clock asks for leaves {@value #RESERVE} to
 * what the kernel does: the slowest twentieth comes all the time and would take all there is, an instance that stops comes
 * rarely, and then with all its requests.
 *
 * <p>Thread-safe, lock-free, allocates nothing.
 */
final class HedgeBudget {
    /** Second attempts that can be saved: those of 200 requests, at five in a hundred. */
    static final int MOST = 10;

    static final int RESERVE = 3;

    /** One second attempt; whole numbers, so that nothing is rounded in anybody's favour. */
    private static final long ONE = 1_000_000;

    private final AtomicLong saved = new AtomicLong();
    private final long each;

    HedgeBudget(double share) {
        each = (long) (share * ONE);
    }

    /** A first attempt is sent. */
    void sent() {
        long present;
        do {
            present = saved.get();
        } while (present < MOST * ONE && !saved.compareAndSet(present, Math.min(MOST * ONE, present + each)));
    }

    /** Takes one if there is one, and {@code reserve} more. */
    boolean take(int reserve) {
        long present;
        do {
            present = saved.get();
            if (present < (1 + reserve) * ONE) {
                return false;
            }
        } while (!saved.compareAndSet(present, present - ONE));
        return true;
    }
}

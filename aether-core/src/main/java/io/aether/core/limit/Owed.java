// SPDX-License-Identifier: Apache-2.0
package io.aether.core.limit;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * Tokens that lower tiers took and that a CRITICAL request may take again, leaving the debt to them. Small buckets need it:
 * a quarter of five tokens is one, and of two critical requests that come together the second would be held back
 * although three quarters of the limit go to others. Where all is CRITICAL nothing is owed, and bursts stay small.
 *
 * <p>Thread-safe, lock-free, allocates nothing.
 */
final class Owed {
    /** For a client of twenty requests a second, what its limit's ups and downs take from half of them within a second or two. */
    private static final int LEAST_CAP = 40;

    private final AtomicInteger tokens = new AtomicInteger();

    /** One more, up to {@code burst} or a few above, or forty. */
    void add(float burst) {
        if (tokens.get() < Math.max(LEAST_CAP, burst)) {
            tokens.incrementAndGet();
        }
    }

    /** Takes one, if there is any. */
    boolean take() {
        int seen = tokens.get();
        while (seen > 0) {
            if (tokens.compareAndSet(seen, seen - 1)) {
                return true;
            }
            seen = tokens.get();
        }
        return false;
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.aether.starter.server;

import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import org.jspecify.annotations.Nullable;

/**
 * The limited branches that calls of one request were let pass to. A request that needs four answers of a branch is decided on once:
 * were each call decided on by itself, half of the calls let pass would be one request in sixteen that succeeds. Bounded in number and
 * time, so that a request that calls for ever is asked again. Thread-safe, lock-free.
 */
final class Followers {
    /** Calls that may follow one; a request that makes more of them is a batch, and asks again. */
    static final int MOST = 16;

    static final long NANOS = 1_000_000_000L;
    private static final AtomicIntegerFieldUpdater<Followers> LEFT =
            AtomicIntegerFieldUpdater.newUpdater(Followers.class, "left");

    private final Object branch;
    private final long since;
    private final @Nullable Followers next;
    private volatile int left = MOST;

    /**
     * A call to {@code branch} passed.
     *
     * @param next those to others
     */
    Followers(Object branch, long now, @Nullable Followers next) {
        this.branch = branch;
        this.since = now;
        this.next = next;
    }

    /** Whether one more call may follow. */
    static boolean take(@Nullable Followers first, Object branch, long now) {
        for (Followers one = first; one != null; one = one.next) {
            if (one.branch == branch && now - one.since < NANOS) {
                return one.left > 0 && LEFT.getAndDecrement(one) > 0;
            }
        }
        return false;
    }

    /** Those that are not over. */
    static @Nullable Followers recent(@Nullable Followers first, long now) {
        return first != null && now - first.since < NANOS ? first : null;
    }
}

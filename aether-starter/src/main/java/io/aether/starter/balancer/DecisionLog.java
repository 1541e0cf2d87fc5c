// SPDX-License-Identifier: Apache-2.0
package io.aether.starter.balancer;

import io.aether.core.NanoClock;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The last decisions about one service with all that they were made from. A sample: one at most every 100 ms, so that
 * explaining costs nothing that a request would notice. Thread-safe.
 */
final class DecisionLog {

    private static final long INTERVAL_NANOS = 100_000_000;

    private final int capacity;
    private final NanoClock clock;
    private final AtomicLong nextNanos;
    private final ArrayDeque<RecordedDecision> ring = new ArrayDeque<>();

    DecisionLog(int capacity, NanoClock clock) {
        this.capacity = capacity;
        this.clock = clock;
        this.nextNanos = new AtomicLong(clock.nanos());
    }

    /** Whether the decision just made belongs to the sample. True for one caller per interval. */
    boolean isDue() {
        if (capacity == 0) {
            return false;
        }
        long next = nextNanos.get();
        long now = clock.nanos();
        return now - next >= 0 && nextNanos.compareAndSet(next, now + INTERVAL_NANOS);
    }

    void add(RecordedDecision decision) {
        synchronized (ring) {
            if (ring.size() == capacity) {
                ring.removeLast();
            }
            ring.addFirst(decision);
        }
    }

    /** Newest first. */
    List<RecordedDecision> last() {
        synchronized (ring) {
            return new ArrayList<>(ring);
        }
    }
}

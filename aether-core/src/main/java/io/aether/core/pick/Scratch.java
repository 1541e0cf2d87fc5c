// SPDX-License-Identifier: Apache-2.0
package io.aether.core.pick;

import io.aether.core.table.EndpointHealth;
import java.util.concurrent.atomic.AtomicIntegerArray;

/**
 * The working memory of one pick. Pooled rather than thread-local: a server with a virtual thread per request would
 * otherwise make one for every request. Holds numbers only: a stored reference would cost the collector's write barrier in
 * every pick.
 */
final class Scratch {
    private static final int SIZE = PickSettings.MOST_CANDIDATES + 1 + Picker.FAR;

    /** Candidates as places in the fleet's array. */
    final int[] indices = new int[SIZE];

    final int[] classes = new int[SIZE];
    final double[] costs = new double[SIZE];
    final EndpointHealth health = new EndpointHealth();
    int count;
    /** Place in the pool, -1 for one that was made because the place was taken. */
    private final int place;

    Scratch() {
        this(-1);
    }

    private Scratch(int place) {
        this.place = place;
    }

    /** Several per processor, so that threads rarely meet; marks spaced to keep them off each other's cache line. */
    static final class Pool {
        private static final int STRIDE = 16;
        private final int mask = Integer.highestOneBit(Runtime.getRuntime().availableProcessors() * 8) - 1;
        private final AtomicIntegerArray taken = new AtomicIntegerArray((mask + 1) * STRIDE);
        private final Scratch[] scratches = new Scratch[mask + 1];

        Pool() {
            for (int i = 0; i <= mask; i++) {
                scratches[i] = new Scratch(i);
            }
        }

        Scratch take() {
            int place = (int) Thread.currentThread().getId() & mask;
            return taken.getAndSet(place * STRIDE, 1) == 0 ? scratches[place] : new Scratch();
        }

        void give(Scratch scratch) {
            if (scratch.place >= 0) {
                taken.setRelease(scratch.place * STRIDE, 0);
            }
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.aether.core.pick;

import io.aether.core.table.EndpointHealth;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * The working memory of one pick. Pooled rather than thread-local: a server with a virtual thread per request would
 * otherwise make one for every request.
 */
final class Scratch {
    final Instance[] candidates = new Instance[PickSettings.MOST_CANDIDATES + 1];
    final int[] indices = new int[PickSettings.MOST_CANDIDATES + 1];
    final int[] classes = new int[PickSettings.MOST_CANDIDATES + 1];
    final double[] costs = new double[PickSettings.MOST_CANDIDATES + 1];
    final EndpointHealth health = new EndpointHealth();
    int count;

    /** Two per processor and then some, so that threads rarely meet; spaced to keep them off each other's cache line. */
    static final class Pool {
        private static final int STRIDE = 16;
        private final int mask = Integer.highestOneBit(Runtime.getRuntime().availableProcessors() * 8) - 1;
        private final AtomicReferenceArray<@Nullable Scratch> places = new AtomicReferenceArray<>((mask + 1) * STRIDE);

        Scratch take() {
            Scratch scratch = places.getAndSet(place(), null);
            return scratch == null ? new Scratch() : scratch;
        }

        void give(Scratch scratch) {
            places.setRelease(place(), scratch);
        }

        private int place() {
            return ((int) Thread.currentThread().getId() & mask) * STRIDE;
        }
    }
}

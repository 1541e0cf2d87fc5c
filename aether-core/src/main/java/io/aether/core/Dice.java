// SPDX-License-Identifier: Apache-2.0
package io.aether.core;

import java.util.concurrent.ThreadLocalRandom;

/** Uniform random numbers, passed in so that tests and the simulator can repeat a run. Implementations are thread-safe. */
@FunctionalInterface
public interface Dice {
    /** A uniform number in {@code [0, bound)}; {@code bound} is at least 1. */
    int below(int bound);

    /** The calling thread's own generator: no contention, no allocation. */
    static Dice threadLocal() {
        return bound -> ThreadLocalRandom.current().nextInt(bound);
    }
}

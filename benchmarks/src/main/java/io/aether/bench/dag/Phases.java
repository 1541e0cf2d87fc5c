// SPDX-License-Identifier: Apache-2.0
package io.aether.bench.dag;

/**
 * A block's phases, in seconds from its start: calm, then overload, then nothing until all answers are back.
 *
 * @param calm length of the calm part
 * @param overload length of the overload
 */
record Phases(double calm, double overload) {

    /** Not counted: limiters that were off know nothing of before, and are given what a new branch is given to watch, and a little. */
    static final double SETTLE = 4;

    /** Of the overload, not counted: the limiters have to hear of it. */
    static final double ONSET = 2;

    /** The longest that a client waits, and a little. */
    static final double DRAIN = Traffic.PATIENCE.toMillis() / 1000.0 + 1;

    /** When the overload begins. */
    double step() {
        return calm;
    }

    /** When the last request is sent. */
    double stop() {
        return calm + overload;
    }

    /** When the block is over. */
    double end() {
        return stop() + DRAIN;
    }

    boolean countsAsCalm(double second) {
        return second >= SETTLE && second < step();
    }

    boolean countsAsOverload(double second) {
        return second >= step() + ONSET && second < stop();
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.aether.bench.dag;

/**
 * What became of a request.
 *
 * @param second intended start, after the block's start
 * @param millis from the intended start to the complete answer, or to the end of the client's patience
 * @param status of the answer; 0 for none
 */
record Answer(Flow flow, double second, double millis, int status) {

    private static final int OK = 200;

    /** Answered, and in time. */
    boolean good() {
        return status == OK && millis <= Flow.OBJECTIVE_MILLIS;
    }
}

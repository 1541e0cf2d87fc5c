// SPDX-License-Identifier: Apache-2.0
package io.aether.bench.sim.policy;

/** How a request ended, as its client sees it. */
public enum Ending {
    OK,
    /** An error status. */
    FAILED,
    /** Nobody listens there. */
    REFUSED,
    /** The client gave up. */
    TIMEOUT
}

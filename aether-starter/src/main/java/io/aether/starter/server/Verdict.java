// SPDX-License-Identifier: Apache-2.0
package io.aether.starter.server;

/** What becomes of a request that arrives. */
public enum Verdict {
    ADMIT(0),
    /** The queue is beyond the limit of its tier. */
    OVERLOAD(503),
    /** Its deadline would pass in the queue. Another instance may still do it. */
    DEADLINE(503),
    /** Its deadline has passed: nobody waits any more. */
    EXPIRED(504);

    private final int status;

    Verdict(int status) {
        this.status = status;
    }

    /** The status that tells it. */
    public int status() {
        return status;
    }
}

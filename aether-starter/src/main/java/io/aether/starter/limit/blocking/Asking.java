// SPDX-License-Identifier: Apache-2.0
package io.aether.starter.limit.blocking;

/** A request that asks its branch's limiter before it is sent. Used by one thread. */
public interface Asking {
    /**
     * Asks, unless it did before.
     *
     * @throws io.aether.starter.limit.BranchLimitedException if it may not be sent
     */
    void ask();

    /** Says that the request is over, if nobody has said so. */
    void settle();
}

// SPDX-License-Identifier: Apache-2.0
package io.aether.core.limit;

/** How a branch's overload can be told to its limiter, the best way first; the best one that is live counts. */
public enum Rung {
    /** Marks on packets. */
    MARKS,
    /** What the peers' kernels report of their pressure in a TCP option. */
    REPORT,
    /** What the answers say of it in a header. */
    HEADER,
    /** Only that requests are refused. */
    STATUS
}

// SPDX-License-Identifier: Apache-2.0
package io.aether.core.pick;

/** What a pick may look at. */
public enum Signals {
    /** Latencies, failures and requests in flight of this process only. */
    APPLICATION,
    /** Those, and what the kernel says through the health table. */
    KERNEL
}

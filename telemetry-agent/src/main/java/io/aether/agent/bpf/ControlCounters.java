// SPDX-License-Identifier: Apache-2.0
package io.aether.agent.bpf;

/**
 * What the congestion control did, totals since the start.
 *
 * @param taken connections of opted-in cgroups that it took
 * @param left those to its networks that it left to the system's control, for want of ECN
 * @param words that servers heard of their clients' shares
 * @param timeouts of its servers' connections
 */
public record ControlCounters(long taken, long left, long words, long timeouts) {
    static ControlCounters of(long[] n) {
        return new ControlCounters(n[0], n[1], n[2], n[3]);
    }
}

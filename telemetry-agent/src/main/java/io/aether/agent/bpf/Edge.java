// SPDX-License-Identifier: Apache-2.0
package io.aether.agent.bpf;

import io.aether.core.table.EndpointAddress;
import io.aether.core.table.TableLayout;

/**
 * A change of an endpoint's flags in the health table, with the values beside them at that moment.
 *
 * @param timeNanos when the slot had been written, CLOCK_MONOTONIC ns
 * @param netns inode of the network namespace
 * @param address and port
 * @param kind {@link TableLayout#KIND_PEER} or {@link TableLayout#KIND_LOCAL}
 * @param before flags that it had, {@link TableLayout#FLAG_CONGESTED} and so on
 * @param after flags that it has
 * @param source of the report: {@link TableLayout#FROM_OPTION} when the peer's packets carried it
 * @param rttMicros smoothed round-trip time of a peer; 0 when not known
 * @param minRttMicros its least of the last 10 s; 0 when not known
 * @param stallAgeMicros age of the oldest unread data; 0 when everything was read
 * @param sojournMicros arrival to the application's read
 * @param unread connections of a listener with data that nobody has read
 */
public record Edge(
        long timeNanos,
        long netns,
        EndpointAddress address,
        int kind,
        int before,
        int after,
        int source,
        long rttMicros,
        long minRttMicros,
        long stallAgeMicros,
        long sojournMicros,
        long unread) {

    /** 64-bit words of one, in the order of the native side's {@code struct edge}. */
    static final int WORDS = 14;

    static Edge of(long[] rows, int at) {
        return new Edge(
                rows[at],
                rows[at + 1],
                new EndpointAddress(rows[at + 2], rows[at + 3], (int) rows[at + 4]),
                (int) rows[at + 5],
                (int) rows[at + 6],
                (int) rows[at + 7],
                (int) rows[at + 8],
                rows[at + 9],
                rows[at + 10],
                rows[at + 11],
                rows[at + 12],
                rows[at + 13]);
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.aether.core.table;

/**
 * One endpoint's signals, as copied out of the table. A mutable carrier of plain numbers that a thread reuses, so that
 * reading allocates nothing; not thread-safe.
 *
 * <p>Every group has its own time (CLOCK_MONOTONIC ns, 0: never written). Fields named {@code ...Micros} are
 * microseconds, {@code ...Permille} thousandths. {@code path} fields belong to PEER slots, {@code queue} fields to LOCAL
 * ones; the others to both. Unsigned 32-bit values are widened to long.
 */
public final class EndpointHealth {
    public int kind;
    public int flags;

    public long pathTimeNanos;
    public long srttMicros;
    public long minRttMicros;
    public long cwnd;
    public long inFlightBytes;
    public long pathConnections;
    public long retransPermille;
    public long segsOut;
    public long retrans;
    public long synRetrans;
    public long rttSamples;
    public long congestedSinceNanos;

    public long queueTimeNanos;
    public long queueSojournMicros;
    public long queueSojournMaxMicros;
    public long unread;
    public long acceptQueue;
    public long acceptMax;
    public long queueConnections;
    public long cgroup;
    public long reads;
    public long arrivals;

    public long reportTimeNanos;
    public long stalledSinceNanos;
    public long stallAgeMicros;
    public long sojournMicros;
    public long runQueueMicros;
    public long runQueueP99Micros;
    public int throttledPermille;
    /** 0 to 255; 255 is the endpoint's hard limit. */
    public int pressure;
    /** One of {@code TableLayout.FROM_*}. */
    public int source;

    public long inFlight;
    public long waiting;
    public long estimatedWaitMicros;

    public long httpTimeNanos;
    public long ttfbMicros;
    public long answersPerSecond;
    public long class2xx;
    public long class4xx;
    public long class5xx;
    public long classUnknown;

    public long ecnTimeNanos;
    /** Segments that came marked (PEER) or were sent marked (LOCAL), since the agent started. */
    public long ce;
    /** Those that could have been marked and were not. */
    public long ect;
    /** Marked ones among both, over the last second. */
    public long cePermille;
    /** PEER: open connections with ECN among all; known without any mark too. */
    public int ablePermille;
    /** PEER: {@code TableLayout.RUNG_*} bits, how its overload is told to this node; known without any mark too. */
    public int rungs;

    public boolean congested() {
        return (flags & TableLayout.FLAG_CONGESTED) != 0;
    }

    public boolean stalled() {
        return (flags & TableLayout.FLAG_STALLED) != 0;
    }

    public boolean gone() {
        return (flags & TableLayout.FLAG_GONE) != 0;
    }

    /** Forgets what was read: every group becomes "never written", which all readers treat as neutral. */
    public void reset() {
        kind = TableLayout.KIND_EMPTY;
        flags = 0;
        pathTimeNanos = 0;
        queueTimeNanos = 0;
        reportTimeNanos = 0;
        httpTimeNanos = 0;
        ecnTimeNanos = 0;
    }
}

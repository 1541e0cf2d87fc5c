// SPDX-License-Identifier: Apache-2.0
package io.aether.core.table;

import java.nio.ByteBuffer;

/**
 * Copies a slot's fields into an {@link EndpointHealth}. Knows nothing of sequence words; {@link HealthTable} does.
 *
 * <p>Neighbours are read as one word of eight bytes, the one that lies first in its low half: loads from a mapping are
 * checked one by one, and a third fewer of them is a third less time.
 */
final class SlotReader {
    private SlotReader() {}

    static void copy(ByteBuffer table, int slot, int kind, EndpointHealth into) {
        if (kind == TableLayout.KIND_PEER) {
            path(table, slot, into);
        } else {
            queue(table, slot, into);
        }
        report(table, slot, into);
        http(table, slot, into);
        ecn(table, slot, into);
    }

    private static void path(ByteBuffer table, int slot, EndpointHealth into) {
        into.queueTimeNanos = 0;
        into.pathTimeNanos = table.getLong(slot + TableLayout.PATH_TIME_NS_OFFSET);
        long rtt = table.getLong(slot + TableLayout.PATH_SRTT_US_OFFSET);
        into.srttMicros = low(rtt);
        into.minRttMicros = high(rtt);
        long window = table.getLong(slot + TableLayout.PATH_CWND_OFFSET);
        into.cwnd = low(window);
        into.inFlightBytes = high(window);
        long connections = table.getLong(slot + TableLayout.PATH_CONNECTIONS_OFFSET);
        into.pathConnections = low(connections);
        into.retransPermille = high(connections);
        into.segsOut = table.getLong(slot + TableLayout.PATH_SEGS_OUT_OFFSET);
        into.retrans = table.getLong(slot + TableLayout.PATH_RETRANS_OFFSET);
        long counts = table.getLong(slot + TableLayout.PATH_SYN_RETRANS_OFFSET);
        into.synRetrans = low(counts);
        into.rttSamples = high(counts);
        into.congestedSinceNanos = table.getLong(slot + TableLayout.PATH_CONGESTED_SINCE_NS_OFFSET);
    }

    private static void queue(ByteBuffer table, int slot, EndpointHealth into) {
        into.pathTimeNanos = 0;
        into.queueTimeNanos = table.getLong(slot + TableLayout.QUEUE_TIME_NS_OFFSET);
        long sojourn = table.getLong(slot + TableLayout.QUEUE_SOJOURN_US_OFFSET);
        into.queueSojournMicros = low(sojourn);
        into.queueSojournMaxMicros = high(sojourn);
        long unread = table.getLong(slot + TableLayout.QUEUE_UNREAD_OFFSET);
        into.unread = low(unread);
        into.acceptQueue = high(unread);
        long accept = table.getLong(slot + TableLayout.QUEUE_ACCEPT_MAX_OFFSET);
        into.acceptMax = low(accept);
        into.queueConnections = high(accept);
        into.cgroup = table.getLong(slot + TableLayout.QUEUE_CGROUP_OFFSET);
        into.reads = table.getLong(slot + TableLayout.QUEUE_READS_OFFSET);
        into.arrivals = table.getLong(slot + TableLayout.QUEUE_ARRIVALS_OFFSET);
    }

    private static void report(ByteBuffer table, int slot, EndpointHealth into) {
        into.reportTimeNanos = table.getLong(slot + TableLayout.REPORT_TIME_NS_OFFSET);
        into.stalledSinceNanos = table.getLong(slot + TableLayout.REPORT_STALLED_SINCE_NS_OFFSET);
        long stall = table.getLong(slot + TableLayout.REPORT_STALL_AGE_US_OFFSET);
        into.stallAgeMicros = low(stall);
        into.sojournMicros = high(stall);
        long runQueue = table.getLong(slot + TableLayout.REPORT_RUNQ_US_OFFSET);
        into.runQueueMicros = low(runQueue);
        into.runQueueP99Micros = high(runQueue);
        long load = table.getLong(slot + TableLayout.REPORT_THROTTLED_PERMILLE_OFFSET);
        into.throttledPermille = (int) load & 0xffff;
        into.pressure = (int) load >>> 16 & 0xff;
        into.source = (int) load >>> 24;
        into.inFlight = high(load);
        long wait = table.getLong(slot + TableLayout.REPORT_WAITING_OFFSET);
        into.waiting = low(wait);
        into.estimatedWaitMicros = high(wait);
    }

    private static void http(ByteBuffer table, int slot, EndpointHealth into) {
        into.httpTimeNanos = table.getLong(slot + TableLayout.HTTP_TIME_NS_OFFSET);
        long answers = table.getLong(slot + TableLayout.HTTP_TTFB_US_OFFSET);
        into.ttfbMicros = low(answers);
        into.answersPerSecond = high(answers);
        into.class2xx = table.getLong(slot + TableLayout.HTTP_CLASS_2XX_OFFSET);
        into.class4xx = table.getLong(slot + TableLayout.HTTP_CLASS_4XX_OFFSET);
        into.class5xx = table.getLong(slot + TableLayout.HTTP_CLASS_5XX_OFFSET);
        into.classUnknown = table.getLong(slot + TableLayout.HTTP_UNKNOWN_OFFSET);
    }

    private static void ecn(ByteBuffer table, int slot, EndpointHealth into) {
        into.ecnTimeNanos = table.getLong(slot + TableLayout.ECN_TIME_NS_OFFSET);
        into.ce = table.getLong(slot + TableLayout.ECN_CE_OFFSET);
        into.ect = table.getLong(slot + TableLayout.ECN_ECT_OFFSET);
        long shares = table.getLong(slot + TableLayout.ECN_CE_PERMILLE_OFFSET);
        into.cePermille = low(shares);
        into.ablePermille = (int) (shares >>> 32) & 0xffff;
        into.rungs = (int) (shares >>> 48) & 0xff;
    }

    private static long low(long word) {
        return word & 0xffffffffL;
    }

    private static long high(long word) {
        return word >>> 32;
    }
}

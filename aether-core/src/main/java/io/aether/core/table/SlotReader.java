// SPDX-License-Identifier: Apache-2.0
package io.aether.core.table;

import java.nio.ByteBuffer;

/** Copies a slot's fields into an {@link EndpointHealth}. Knows nothing of sequence words; {@link HealthTable} does. */
final class SlotReader {
    private static final long UNSIGNED = 0xffffffffL;

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
        into.srttMicros = unsigned(table, slot + TableLayout.PATH_SRTT_US_OFFSET);
        into.minRttMicros = unsigned(table, slot + TableLayout.PATH_MIN_RTT_US_OFFSET);
        into.cwnd = unsigned(table, slot + TableLayout.PATH_CWND_OFFSET);
        into.inFlightBytes = unsigned(table, slot + TableLayout.PATH_IN_FLIGHT_BYTES_OFFSET);
        into.pathConnections = unsigned(table, slot + TableLayout.PATH_CONNECTIONS_OFFSET);
        into.retransPermille = unsigned(table, slot + TableLayout.PATH_RETRANS_PERMILLE_OFFSET);
        into.segsOut = table.getLong(slot + TableLayout.PATH_SEGS_OUT_OFFSET);
        into.retrans = table.getLong(slot + TableLayout.PATH_RETRANS_OFFSET);
        into.synRetrans = unsigned(table, slot + TableLayout.PATH_SYN_RETRANS_OFFSET);
        into.rttSamples = unsigned(table, slot + TableLayout.PATH_RTT_SAMPLES_OFFSET);
        into.congestedSinceNanos = table.getLong(slot + TableLayout.PATH_CONGESTED_SINCE_NS_OFFSET);
    }

    private static void queue(ByteBuffer table, int slot, EndpointHealth into) {
        into.pathTimeNanos = 0;
        into.queueTimeNanos = table.getLong(slot + TableLayout.QUEUE_TIME_NS_OFFSET);
        into.queueSojournMicros = unsigned(table, slot + TableLayout.QUEUE_SOJOURN_US_OFFSET);
        into.queueSojournMaxMicros = unsigned(table, slot + TableLayout.QUEUE_SOJOURN_MAX_US_OFFSET);
        into.unread = unsigned(table, slot + TableLayout.QUEUE_UNREAD_OFFSET);
        into.acceptQueue = unsigned(table, slot + TableLayout.QUEUE_ACCEPT_QUEUE_OFFSET);
        into.acceptMax = unsigned(table, slot + TableLayout.QUEUE_ACCEPT_MAX_OFFSET);
        into.queueConnections = unsigned(table, slot + TableLayout.QUEUE_CONNECTIONS_OFFSET);
        into.cgroup = table.getLong(slot + TableLayout.QUEUE_CGROUP_OFFSET);
        into.reads = table.getLong(slot + TableLayout.QUEUE_READS_OFFSET);
        into.arrivals = table.getLong(slot + TableLayout.QUEUE_ARRIVALS_OFFSET);
    }

    private static void report(ByteBuffer table, int slot, EndpointHealth into) {
        into.reportTimeNanos = table.getLong(slot + TableLayout.REPORT_TIME_NS_OFFSET);
        into.stalledSinceNanos = table.getLong(slot + TableLayout.REPORT_STALLED_SINCE_NS_OFFSET);
        into.stallAgeMicros = unsigned(table, slot + TableLayout.REPORT_STALL_AGE_US_OFFSET);
        into.sojournMicros = unsigned(table, slot + TableLayout.REPORT_SOJOURN_US_OFFSET);
        into.runQueueMicros = unsigned(table, slot + TableLayout.REPORT_RUNQ_US_OFFSET);
        into.runQueueP99Micros = unsigned(table, slot + TableLayout.REPORT_RUNQ_P99_US_OFFSET);
        into.throttledPermille =
                Short.toUnsignedInt(table.getShort(slot + TableLayout.REPORT_THROTTLED_PERMILLE_OFFSET));
        into.pressure = Byte.toUnsignedInt(table.get(slot + TableLayout.REPORT_PRESSURE_OFFSET));
        into.source = Byte.toUnsignedInt(table.get(slot + TableLayout.REPORT_SOURCE_OFFSET));
        into.inFlight = unsigned(table, slot + TableLayout.REPORT_IN_FLIGHT_OFFSET);
        into.waiting = unsigned(table, slot + TableLayout.REPORT_WAITING_OFFSET);
        into.estimatedWaitMicros = unsigned(table, slot + TableLayout.REPORT_EST_WAIT_US_OFFSET);
    }

    private static void http(ByteBuffer table, int slot, EndpointHealth into) {
        into.httpTimeNanos = table.getLong(slot + TableLayout.HTTP_TIME_NS_OFFSET);
        into.ttfbMicros = unsigned(table, slot + TableLayout.HTTP_TTFB_US_OFFSET);
        into.answersPerSecond = unsigned(table, slot + TableLayout.HTTP_RATE_OFFSET);
        into.class2xx = table.getLong(slot + TableLayout.HTTP_CLASS_2XX_OFFSET);
        into.class4xx = table.getLong(slot + TableLayout.HTTP_CLASS_4XX_OFFSET);
        into.class5xx = table.getLong(slot + TableLayout.HTTP_CLASS_5XX_OFFSET);
        into.classUnknown = table.getLong(slot + TableLayout.HTTP_UNKNOWN_OFFSET);
    }

    private static void ecn(ByteBuffer table, int slot, EndpointHealth into) {
        into.ecnTimeNanos = table.getLong(slot + TableLayout.ECN_TIME_NS_OFFSET);
        into.ce = table.getLong(slot + TableLayout.ECN_CE_OFFSET);
        into.ect = table.getLong(slot + TableLayout.ECN_ECT_OFFSET);
        into.cePermille = unsigned(table, slot + TableLayout.ECN_CE_PERMILLE_OFFSET);
        into.ablePermille = Short.toUnsignedInt(table.getShort(slot + TableLayout.ECN_ABLE_PERMILLE_OFFSET));
        into.rungs = Byte.toUnsignedInt(table.get(slot + TableLayout.ECN_RUNGS_OFFSET));
    }

    private static long unsigned(ByteBuffer table, int offset) {
        return table.getInt(offset) & UNSIGNED;
    }
}

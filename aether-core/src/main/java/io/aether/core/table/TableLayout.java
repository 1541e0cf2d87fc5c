// SPDX-License-Identifier: Apache-2.0
package io.aether.core.table;

/**
 * The health table's binary layout, the Java twin of {@code bpf/include/aether_abi.h}. Little-endian; times are
 * CLOCK_MONOTONIC nanoseconds and zero when never written.
 *
 * <pre>
 *   file    +-----------------+ 0
 *           | header          |
 *           +-----------------+ HEADER_SIZE
 *           | slot 0          |
 *           +-----------------+ + SLOT_SIZE
 *           | slot 1 ...      |    a power of two of slots
 *           +-----------------+
 *
 *   slot    0       4    5    6     8        16               32
 *           +-------+----+----+-----+--------+----------------+
 *           | seq   |kind|flag|port | netns  | addr (16)      |  key
 *           +-------+----+----+-----+--------+----------------+ 32
 *           | path   (PEER)    or  queue  (LOCAL)             |
 *           +-------------------------------------------------+ 96
 *           | report: what the endpoint says, or shows, of    |
 *           |         itself (stall, run queue, pressure)     |
 *           +-------------------------------------------------+ 160
 *           | http: status classes and time to first byte     |
 *           +-------------------------------------------------+ 208
 *           | ecn: marks                                      |
 *           +-------------------------------------------------+ 240
 *           | reserved                                        |
 *           +-------------------------------------------------+ 256
 * </pre>
 *
 * <p>Offsets of the header count from the file's start, all others from the slot's start.
 */
public final class TableLayout {
    public static final long MAGIC = 0x31484c4145485445L; // "ETHEALH1" in memory order
    public static final int ABI_VERSION = 1;
    public static final int HEADER_SIZE = 4096;
    public static final int SLOT_SIZE = 256;
    public static final int MAX_PROBE = 64;
    public static final int READ_RETRIES = 3;
    /** More slots than this do not fit one mapping of a Java buffer. */
    public static final int MAX_SLOTS = 1 << 22;

    public static final int KIND_EMPTY = 0;
    /** A remote endpoint as this node's clients see it. */
    public static final int KIND_PEER = 1;
    /** An endpoint that listens on this node. */
    public static final int KIND_LOCAL = 2;

    public static final int KIND_TOMBSTONE = 255;

    public static final int FLAG_CONGESTED = 0x01;
    public static final int FLAG_STALLED = 0x02;
    public static final int FLAG_GONE = 0x04;

    public static final int FROM_NOWHERE = 0;
    public static final int FROM_NODE = 1;
    public static final int FROM_OPTION = 2;

    /** Marks of a peer reach this node: a connection agreed on ECN, and what comes over it still says so. */
    public static final int RUNG_MARKS = 1;
    /** Its report does. */
    public static final int RUNG_REPORT = 2;

    // Header.
    public static final int MAGIC_OFFSET = 0;
    public static final int ABI_VERSION_OFFSET = 8;
    public static final int HEADER_SIZE_OFFSET = 12;
    public static final int SLOT_COUNT_OFFSET = 16;
    public static final int SLOT_SIZE_OFFSET = 20;
    public static final int BOOT_ID_OFFSET = 24;
    public static final int WRITER_PID_OFFSET = 40;
    public static final int USED_OFFSET = 44;
    public static final int START_NS_OFFSET = 48;
    public static final int HEARTBEAT_NS_OFFSET = 56;
    public static final int REFUSED_OFFSET = 64;
    /** Bytes of the header that carry something. */
    public static final int HEADER_USED = 72;

    // Slot: key.
    public static final int SEQ_OFFSET = 0;
    public static final int KIND_OFFSET = 4;
    public static final int FLAGS_OFFSET = 5;
    public static final int PORT_OFFSET = 6;
    public static final int NETNS_OFFSET = 8;
    public static final int ADDR_OFFSET = 16;

    // Slot: path of a PEER.
    public static final int PATH_OFFSET = 32;
    public static final int PATH_TIME_NS_OFFSET = 32;
    public static final int PATH_SRTT_US_OFFSET = 40;
    public static final int PATH_MIN_RTT_US_OFFSET = 44;
    public static final int PATH_CWND_OFFSET = 48;
    public static final int PATH_IN_FLIGHT_BYTES_OFFSET = 52;
    public static final int PATH_CONNECTIONS_OFFSET = 56;
    public static final int PATH_RETRANS_PERMILLE_OFFSET = 60;
    public static final int PATH_SEGS_OUT_OFFSET = 64;
    public static final int PATH_RETRANS_OFFSET = 72;
    public static final int PATH_SYN_RETRANS_OFFSET = 80;
    public static final int PATH_RTT_SAMPLES_OFFSET = 84;
    public static final int PATH_CONGESTED_SINCE_NS_OFFSET = 88;

    // Slot: queue of a LOCAL.
    public static final int QUEUE_OFFSET = 32;
    public static final int QUEUE_TIME_NS_OFFSET = 32;
    public static final int QUEUE_SOJOURN_US_OFFSET = 40;
    public static final int QUEUE_SOJOURN_MAX_US_OFFSET = 44;
    public static final int QUEUE_UNREAD_OFFSET = 48;
    public static final int QUEUE_ACCEPT_QUEUE_OFFSET = 52;
    public static final int QUEUE_ACCEPT_MAX_OFFSET = 56;
    public static final int QUEUE_CONNECTIONS_OFFSET = 60;
    public static final int QUEUE_CGROUP_OFFSET = 64;
    public static final int QUEUE_READS_OFFSET = 72;
    public static final int QUEUE_ARRIVALS_OFFSET = 80;

    // Slot: report.
    public static final int REPORT_OFFSET = 96;
    public static final int REPORT_TIME_NS_OFFSET = 96;
    public static final int REPORT_STALLED_SINCE_NS_OFFSET = 104;
    public static final int REPORT_STALL_AGE_US_OFFSET = 112;
    public static final int REPORT_SOJOURN_US_OFFSET = 116;
    public static final int REPORT_RUNQ_US_OFFSET = 120;
    public static final int REPORT_RUNQ_P99_US_OFFSET = 124;
    public static final int REPORT_THROTTLED_PERMILLE_OFFSET = 128;
    public static final int REPORT_PRESSURE_OFFSET = 130;
    public static final int REPORT_SOURCE_OFFSET = 131;
    public static final int REPORT_IN_FLIGHT_OFFSET = 132;
    public static final int REPORT_WAITING_OFFSET = 136;
    public static final int REPORT_EST_WAIT_US_OFFSET = 140;

    // Slot: http.
    public static final int HTTP_OFFSET = 160;
    public static final int HTTP_TIME_NS_OFFSET = 160;
    public static final int HTTP_TTFB_US_OFFSET = 168;
    public static final int HTTP_RATE_OFFSET = 172;
    public static final int HTTP_CLASS_2XX_OFFSET = 176;
    public static final int HTTP_CLASS_4XX_OFFSET = 184;
    public static final int HTTP_CLASS_5XX_OFFSET = 192;
    public static final int HTTP_UNKNOWN_OFFSET = 200;

    // Slot: ecn.
    public static final int ECN_OFFSET = 208;
    public static final int ECN_TIME_NS_OFFSET = 208;
    public static final int ECN_CE_OFFSET = 216;
    public static final int ECN_ECT_OFFSET = 224;
    public static final int ECN_CE_PERMILLE_OFFSET = 232;
    public static final int ECN_ABLE_PERMILLE_OFFSET = 236;
    public static final int ECN_RUNGS_OFFSET = 238;

    private TableLayout() {}

    /** The finaliser of MurmurHash3 (public domain), as in the C header. */
    static long mix(long word) {
        long h = word;
        h ^= h >>> 33;
        h *= 0xff51afd7ed558ccdL;
        h ^= h >>> 33;
        h *= 0xc4ceb9fe1a85ec53L;
        h ^= h >>> 33;
        return h;
    }

    /** Where a key's search starts, before masking; {@code hi} and {@code lo} are little-endian words. */
    public static long hash(long netns, long hi, long lo, int port, int kind) {
        long h = mix(netns ^ ((long) kind << 56) ^ ((long) port << 32));
        h = mix(h ^ hi);
        return mix(h ^ lo);
    }
}

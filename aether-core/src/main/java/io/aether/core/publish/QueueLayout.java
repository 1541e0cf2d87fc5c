// SPDX-License-Identifier: Apache-2.0
package io.aether.core.publish;

/**
 * The layout of an application's file, the Java twin of {@code bpf/include/aether_app.h}. Little-endian; times are
 * CLOCK_MONOTONIC nanoseconds.
 *
 * <pre>
 *   0        8        12       16      20           24            40
 *   +--------+--------+--------+-------+------------+-------------+
 *   | magic  |version | size   | seq   | port_count | ports (8)   |
 *   +--------+--------+--------+-------+------------+-------------+
 *   | time_ns 40 | running 48 | waiting 52 | est_wait_us 56       |
 *   | mark_from_us 60 | mark_all_us 64 | pressure 68 | reserved   |
 *   +-------------------------------------------------------------+ 128
 * </pre>
 */
public final class QueueLayout {
    public static final long MAGIC = 0x3150504148544541L; // "AETHAPP1" in memory order
    public static final int VERSION = 1;
    public static final int SIZE = 128;
    /** Most ports that one process can name. */
    public static final int PORTS = 8;

    public static final int MAGIC_OFFSET = 0;
    public static final int VERSION_OFFSET = 8;
    public static final int SIZE_OFFSET = 12;
    public static final int SEQ_OFFSET = 16;
    public static final int PORT_COUNT_OFFSET = 20;
    public static final int PORTS_OFFSET = 24;
    public static final int TIME_NS_OFFSET = 40;
    public static final int RUNNING_OFFSET = 48;
    public static final int WAITING_OFFSET = 52;
    public static final int EST_WAIT_US_OFFSET = 56;
    public static final int MARK_FROM_US_OFFSET = 60;
    public static final int MARK_ALL_US_OFFSET = 64;
    public static final int PRESSURE_OFFSET = 68;

    private QueueLayout() {}
}

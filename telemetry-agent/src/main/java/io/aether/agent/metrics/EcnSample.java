// SPDX-License-Identifier: Apache-2.0
package io.aether.agent.metrics;

import static io.aether.agent.metrics.PeerSample.worse;

import io.aether.agent.view.EcnView;
import java.util.List;
import java.util.stream.LongStream;

/**
 * The marks of a peer's or a listener's row.
 *
 * @param able share of the peer's connections that can carry marks; NaN is "not shown"
 * @param byMarks 1 when its marks reach this node, else 0
 * @param byReport 1 when its reports do, else 0
 * @param byStatus 1 when the statuses of its answers are seen here, else 0
 * @param marked counter
 * @param unmarked counter
 */
record EcnSample(double able, double byMarks, double byReport, double byStatus, long marked, long unmarked) {
    static final int COUNTERS = 2;

    private static final double PERMILLE = 1e3;

    /** Nothing shown, nothing counted. */
    static final EcnSample NOTHING = new EcnSample(Double.NaN, Double.NaN, Double.NaN, Double.NaN, 0, 0);

    static EcnSample of(EcnView ecn) {
        return new EcnSample(
                ecn.ablePermille() / PERMILLE,
                ecn.rungs().contains("marks") ? 1 : 0,
                ecn.rungs().contains("report") ? 1 : 0,
                ecn.rungs().contains("status") ? 1 : 0,
                ecn.marked(),
                ecn.unmarked());
    }

    EcnSample and(EcnSample other) {
        return new EcnSample(
                -worse(-able, -other.able),
                -worse(-byMarks, -other.byMarks),
                -worse(-byReport, -other.byReport),
                -worse(-byStatus, -other.byStatus),
                marked + other.marked,
                unmarked + other.unmarked);
    }

    /** The row of the rest; its counters start at {@code first} of the totals. */
    EcnSample asOther(long[] totals, int first) {
        return new EcnSample(Double.NaN, Double.NaN, Double.NaN, Double.NaN, totals[first], totals[first + 1]);
    }

    /** Its counters behind those given. */
    long[] counters(long... before) {
        return LongStream.concat(LongStream.of(before), LongStream.of(marked, unmarked))
                .toArray();
    }

    static final List<Column<EcnSample>> PEER = List.of(
            Column.gauge(
                    "aether_peer_ecn_connections_ratio",
                    "Share of its open connections that negotiated ECN",
                    EcnSample::able),
            Column.gauge("aether_peer_marks_live", "1 when its marks reach this node", EcnSample::byMarks),
            Column.gauge("aether_peer_report_live", "1 when its reports reach this node", EcnSample::byReport),
            Column.gauge(
                    "aether_peer_status_live", "1 when the statuses of its answers are seen here", EcnSample::byStatus),
            Column.counter("aether_peer_marked_segments", "Segments that came marked", EcnSample::marked),
            Column.counter("aether_peer_unmarked_segments", "Segments that could have been", EcnSample::unmarked));

    static final List<Column<EcnSample>> LOCAL = List.of(
            Column.counter("aether_endpoint_marked_segments", "Segments sent with a mark", EcnSample::marked),
            Column.counter(
                    "aether_endpoint_unmarked_segments", "Segments sent that could have had one", EcnSample::unmarked));
}

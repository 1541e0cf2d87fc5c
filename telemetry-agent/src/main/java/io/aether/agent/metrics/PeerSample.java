// SPDX-License-Identifier: Apache-2.0
package io.aether.agent.metrics;

import io.aether.agent.view.PathView;
import io.aether.agent.view.PeerView;
import io.aether.agent.view.ReportView;
import java.util.List;

/**
 * One peer's row. Seconds and bytes; NaN is "not shown".
 *
 * @param segments counter
 * @param retransmits counter
 * @param synRetransmits counter
 * @param http its answers
 * @param ecn its marks
 */
record PeerSample(
        double rtt,
        double minRtt,
        double window,
        double inFlight,
        double connections,
        double congested,
        double stalled,
        double gone,
        double stallAge,
        long segments,
        long retransmits,
        long synRetransmits,
        HttpSample http,
        EcnSample ecn) {

    static final int OWN_COUNTERS = 3;
    static final int COUNTERS = OWN_COUNTERS + HttpSample.COUNTERS + EcnSample.COUNTERS;
    private static final double NOT_SHOWN = Double.NaN;
    private static final double MICROS_PER_SECOND = 1e6;

    /** No peer: nothing shown, nothing counted. */
    static final PeerSample NOTHING = new PeerSample(
            NOT_SHOWN,
            NOT_SHOWN,
            NOT_SHOWN,
            0,
            0,
            NOT_SHOWN,
            NOT_SHOWN,
            NOT_SHOWN,
            NOT_SHOWN,
            0,
            0,
            0,
            HttpSample.NOTHING,
            EcnSample.NOTHING);

    static final List<Column<PeerSample>> COLUMNS = List.of(
            Column.gauge("aether_peer_rtt_seconds", "Smoothed round-trip time", PeerSample::rtt),
            Column.gauge("aether_peer_min_rtt_seconds", "Least round-trip time of the last 10 s", PeerSample::minRtt),
            Column.gauge("aether_peer_window_segments", "Congestion window", PeerSample::window),
            Column.gauge("aether_peer_unacknowledged_bytes", "Sent and not acknowledged", PeerSample::inFlight),
            Column.gauge("aether_peer_connections", "Open connections", PeerSample::connections),
            Column.gauge("aether_peer_congested", "1 while the round-trip time is too long", PeerSample::congested),
            Column.gauge("aether_peer_stalled", "1 while the peer does not read its requests", PeerSample::stalled),
            Column.gauge("aether_peer_gone", "1 when the peer's listener was closed", PeerSample::gone),
            Column.gauge("aether_peer_stall_age_seconds", "Age of its oldest unread request", PeerSample::stallAge),
            Column.counter("aether_peer_segments", "Segments sent", PeerSample::segments),
            Column.counter("aether_peer_retransmits", "Segments sent again", PeerSample::retransmits),
            Column.counter("aether_peer_syn_retransmits", "SYNs sent again", PeerSample::synRetransmits));

    static PeerSample of(PeerView peer) {
        PathView path = peer.path();
        ReportView report = peer.report();
        return new PeerSample(
                path == null ? NOT_SHOWN : path.rttMicros() / MICROS_PER_SECOND,
                path == null ? NOT_SHOWN : path.minRttMicros() / MICROS_PER_SECOND,
                path == null ? NOT_SHOWN : path.congestionWindow(),
                path == null ? NOT_SHOWN : path.inFlightBytes(),
                path == null ? NOT_SHOWN : path.connections(),
                peer.congested() ? 1 : 0,
                peer.stalled() ? 1 : 0,
                peer.gone() ? 1 : 0,
                report == null ? NOT_SHOWN : report.stallAgeMicros() / MICROS_PER_SECOND,
                path == null ? 0 : path.segments(),
                path == null ? 0 : path.retransmits(),
                path == null ? 0 : path.synRetransmits(),
                HttpSample.of(peer.http()),
                EcnSample.of(peer.ecn()));
    }

    /** One row for the same peer seen from two network namespaces: sums, and the worse of what cannot be added. */
    PeerSample and(PeerSample other) {
        return new PeerSample(
                worse(rtt, other.rtt),
                worse(-minRtt, -other.minRtt) * -1,
                worse(window, other.window),
                sum(inFlight, other.inFlight),
                sum(connections, other.connections),
                worse(congested, other.congested),
                worse(stalled, other.stalled),
                Math.min(gone, other.gone),
                worse(stallAge, other.stallAge),
                segments + other.segments,
                retransmits + other.retransmits,
                synRetransmits + other.synRetransmits,
                http.and(other.http),
                ecn.and(other.ecn));
    }

    /** The row of the rest: only what can be added, with the running totals of the counters. */
    PeerSample asOther(long[] totals) {
        return new PeerSample(
                NOT_SHOWN,
                NOT_SHOWN,
                NOT_SHOWN,
                inFlight,
                connections,
                NOT_SHOWN,
                NOT_SHOWN,
                NOT_SHOWN,
                NOT_SHOWN,
                totals[0],
                totals[1],
                totals[2],
                http.asOther(totals, OWN_COUNTERS),
                ecn.asOther(totals, OWN_COUNTERS + HttpSample.COUNTERS));
    }

    long[] counters() {
        return ecn.counters(http.counters(segments, retransmits, synRetransmits));
    }

    /** Peers in trouble first, then the busiest: the order in which names are given out. */
    double rank() {
        return congested + stalled > 0 ? Double.MAX_VALUE : segments;
    }

    static double worse(double a, double b) {
        return Double.isNaN(a) ? b : Double.isNaN(b) ? a : Math.max(a, b);
    }

    static double sum(double a, double b) {
        return Double.isNaN(a) ? b : Double.isNaN(b) ? a : a + b;
    }
}

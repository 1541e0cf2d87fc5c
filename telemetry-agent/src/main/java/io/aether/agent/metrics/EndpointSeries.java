// SPDX-License-Identifier: Apache-2.0
package io.aether.agent.metrics;

import io.aether.agent.view.Endpoints;
import io.aether.agent.view.LocalView;
import io.aether.agent.view.PathView;
import io.aether.agent.view.PeerView;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BinaryOperator;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Peers and listeners as Prometheus series, built anew at every scrape from one pass over the table, so that endpoints
 * which leave it leave the scrape too. Labels are server addresses only, never a client's port or a process id. Not
 * thread-safe.
 */
final class EndpointSeries {
    static final String PEER = "aether_peer";
    static final String LOCAL = "aether_endpoint";

    private final long idleMillis;
    private final TopRows<PeerSample> peers;
    private final TopRows<LocalSample> locals;

    /**
     * @param maxSeries peers, and listeners, that keep their name
     * @param idleAfter silence after which an endpoint is not shown
     */
    EndpointSeries(int maxSeries, Duration idleAfter) {
        idleMillis = idleAfter.toMillis();
        peers = new TopRows<>(
                maxSeries,
                PeerSample.COUNTERS,
                PeerSample::rank,
                PeerSample::counters,
                PeerSample::and,
                PeerSample::asOther);
        locals = new TopRows<>(
                maxSeries,
                LocalSample.COUNTERS,
                LocalSample::rank,
                LocalSample::counters,
                LocalSample::and,
                LocalSample::asOther);
    }

    List<MetricSnapshot> snapshots(Endpoints endpoints) {
        List<MetricSnapshot> all = new ArrayList<>();
        Map<Labels, PeerSample> peerRows = peerRows(endpoints.peers());
        PeerSample.COLUMNS.forEach(column -> all.add(column.snapshot(peerRows)));
        all.addAll(answers(PEER, peerRows, PeerSample::http));
        all.addAll(marks(EcnSample.PEER, peerRows, PeerSample::ecn));
        Map<Labels, LocalSample> localRows = localRows(endpoints.locals());
        LocalSample.COLUMNS.forEach(column -> all.add(column.snapshot(localRows)));
        all.addAll(answers(LOCAL, localRows, LocalSample::http));
        all.addAll(marks(EcnSample.LOCAL, localRows, LocalSample::ecn));
        return all;
    }

    private static <T> List<MetricSnapshot> answers(String prefix, Map<Labels, T> rows, Function<T, HttpSample> part) {
        Map<Labels, HttpSample> parts = new LinkedHashMap<>();
        rows.forEach((labels, row) -> parts.put(labels, part.apply(row)));
        List<MetricSnapshot> all = new ArrayList<>();
        HttpSample.columns(prefix).forEach(column -> all.add(column.snapshot(parts)));
        all.add(HttpSample.classes(prefix, parts));
        return all;
    }

    private static <T> List<MetricSnapshot> marks(
            List<Column<EcnSample>> columns, Map<Labels, T> rows, Function<T, EcnSample> part) {
        Map<Labels, EcnSample> parts = new LinkedHashMap<>();
        rows.forEach((labels, row) -> parts.put(labels, part.apply(row)));
        return columns.stream().map(column -> column.snapshot(parts)).toList();
    }

    private Map<Labels, PeerSample> peerRows(List<PeerView> views) {
        Map<Labels, PeerSample> live = new LinkedHashMap<>();
        Map<Labels, PeerSample> idle = new LinkedHashMap<>();
        for (PeerView peer : views) {
            Labels labels = Labels.of("peer", endpoint(peer.address(), peer.port()));
            (isIdle(peer.path()) ? idle : live).merge(labels, PeerSample.of(peer), PeerSample::and);
        }
        joinIdle(live, idle, PeerSample::and);
        return peers.rows(live, idle, PeerSample.NOTHING);
    }

    private Map<Labels, LocalSample> localRows(List<LocalView> views) {
        Map<Labels, LocalSample> live = new LinkedHashMap<>();
        Map<Labels, LocalSample> idle = new LinkedHashMap<>();
        for (LocalView local : views) {
            Labels labels = Labels.of("endpoint", endpoint(local.address(), local.port()), "cgroup", local.cgroup());
            (local.gone() ? idle : live).merge(labels, LocalSample.of(local), LocalSample::and);
        }
        joinIdle(live, idle, LocalSample::and);
        return locals.rows(live, idle, LocalSample.NOTHING);
    }

    /** An endpoint seen from two namespaces is one row: what is idle in one of them still counts there. */
    private static <T> void joinIdle(Map<Labels, T> live, Map<Labels, T> idle, BinaryOperator<T> plus) {
        idle.forEach((labels, row) -> live.computeIfPresent(labels, (same, other) -> plus.apply(other, row)));
        idle.keySet().removeAll(live.keySet());
    }

    private boolean isIdle(@Nullable PathView path) {
        return path == null || (path.connections() == 0 && path.ageMillis() > idleMillis);
    }

    private static String endpoint(String address, int port) {
        return (address.indexOf(':') >= 0 ? "[" + address + "]" : address) + ":" + port;
    }
}

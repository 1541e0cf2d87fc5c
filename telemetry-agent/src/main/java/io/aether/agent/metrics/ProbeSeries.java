// SPDX-License-Identifier: Apache-2.0
package io.aether.agent.metrics;

import io.aether.agent.bpf.MapStats;
import io.aether.agent.bpf.ProbeCounters;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What each probe says of itself: its maps, its losses, its errors. The labels are closed sets. Stateless. */
final class ProbeSeries {
    private static final double NANOS_PER_SECOND = 1e9;

    /** What all the probes tell at one moment. */
    record View(List<ProbeCounters> probes, List<MapStats> maps, long pumpLosses, long watchedCgroups, long now) {
        View {
            probes = List.copyOf(probes);
            maps = List.copyOf(maps);
        }
    }

    static final List<Column<MapStats>> MAPS = List.of(
            Column.gauge("aether_ebpf_map_entries", "Entries the map holds", MapStats::entries),
            Column.gauge("aether_ebpf_map_capacity", "Entries the map can hold", MapStats::capacity));

    static final Column<Long> RING_LOSSES =
            Column.counter("aether_ebpf_ring_losses", "Edges lost between kernel and pump", Long::doubleValue);
    static final Column<Long> MAP_ERRORS =
            Column.counter("aether_ebpf_map_errors", "Entries that found no room in a map", Long::doubleValue);
    static final Column<Long> LAST_EVENT = Column.gauge(
            "aether_ebpf_last_event_age_seconds", "Age of the probe's latest event", age -> age / NANOS_PER_SECOND);
    static final Column<Long> WATCHED =
            Column.gauge("aether_ebpf_watched_cgroups", "Cgroups that run-queue waits are kept for", Long::doubleValue);

    /** All of them, for the page that documents them. */
    static final List<Column<Long>> NUMBERS = List.of(RING_LOSSES, MAP_ERRORS, LAST_EVENT, WATCHED);

    private ProbeSeries() {}

    static List<MetricSnapshot> snapshots(View view) {
        List<MetricSnapshot> all = new ArrayList<>();
        Map<Labels, MapStats> maps = new LinkedHashMap<>();
        view.maps().forEach(map -> maps.put(Labels.of("probe", map.probe(), "map", map.name()), map));
        MAPS.forEach(column -> all.add(column.snapshot(maps)));
        all.add(RING_LOSSES.snapshot(ringLosses(view)));
        all.add(MAP_ERRORS.snapshot(mapErrors(view)));
        all.add(LAST_EVENT.snapshot(lastEvents(view)));
        all.add(WATCHED.snapshot(Map.of(Labels.EMPTY, view.watchedCgroups())));
        return all;
    }

    /** Those of the pump concern no single probe: a record is lost there only when it makes no sense. */
    private static Map<Labels, Long> ringLosses(View view) {
        Map<Labels, Long> rows = new LinkedHashMap<>();
        view.probes()
                .forEach(probe -> rows.put(Labels.of("probe", probe.probe(), "side", "kernel"), probe.ringLosses()));
        rows.put(Labels.of("probe", "all", "side", "pump"), view.pumpLosses());
        return rows;
    }

    private static Map<Labels, Long> mapErrors(View view) {
        Map<Labels, Long> rows = new LinkedHashMap<>();
        for (ProbeCounters probe : view.probes()) {
            ProbeCounters.CAUSES.forEach(cause -> rows.put(
                    Labels.of("probe", probe.probe(), "error", cause),
                    probe.mapErrors().getOrDefault(cause, 0L)));
        }
        return rows;
    }

    private static Map<Labels, Long> lastEvents(View view) {
        Map<Labels, Long> rows = new LinkedHashMap<>();
        view.probes().stream()
                .filter(probe -> probe.lastEventNanos() != 0)
                .forEach(probe ->
                        rows.put(Labels.of("probe", probe.probe()), Math.max(0, view.now() - probe.lastEventNanos())));
        return rows;
    }
}

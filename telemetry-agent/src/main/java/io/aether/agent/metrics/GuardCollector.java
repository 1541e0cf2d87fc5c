// SPDX-License-Identifier: Apache-2.0
package io.aether.agent.metrics;

import io.aether.agent.bpf.GuardInterface;
import io.aether.agent.bpf.GuardList;
import io.aether.agent.bpf.GuardVerdict;
import io.aether.agent.bpf.ProbeStatus;
import io.aether.agent.guard.GuardProperties;
import io.aether.agent.guard.GuardService;
import io.prometheus.metrics.model.registry.MultiCollector;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.stereotype.Component;

/** What the guard did; nothing while no interface is named. Thread-safe. */
@Component
class GuardCollector implements MultiCollector {
    static final List<Column<Long>> VERDICTS =
            List.of(Column.counter("aether_guard_packets", "Packets by verdict", count -> count));

    static final List<Column<GuardInterface>> INTERFACES = List.of(Column.gauge(
            "aether_guard_attached",
            "1 while packets of the interface are judged",
            one -> one.state() == ProbeStatus.State.ATTACHED ? 1 : 0));

    static final List<Column<Integer>> LISTS =
            List.of(Column.gauge("aether_guard_entries", "Networks in the list", size -> size));

    static final List<Column<GuardService>> GUARD = List.of(
            Column.gauge(
                    "aether_guard_enforcing",
                    "1 when verdicts drop packets, 0 when they are only counted",
                    guard -> guard.mode() == GuardProperties.Mode.ENFORCE ? 1 : 0),
            Column.gauge(
                    "aether_guard_max_entries",
                    "Networks that each list can hold, for IPv4 and IPv6 each",
                    GuardService::maxEntries));

    private final GuardService guard;

    GuardCollector(GuardService guard, ObjectProvider<PrometheusRegistry> registry) {
        this.guard = guard;
        registry.ifAvailable(available -> available.register(this));
    }

    @Override
    public MetricSnapshots collect() {
        Map<GuardVerdict, Long> counts = guard.verdicts();
        if (counts.isEmpty()) {
            return new MetricSnapshots();
        }
        Map<Labels, Long> verdicts = new LinkedHashMap<>();
        counts.forEach((verdict, count) -> verdicts.put(Labels.of("verdict", verdict.label()), count));
        Map<Labels, GuardInterface> interfaces = new LinkedHashMap<>();
        guard.interfaces().forEach(one -> interfaces.put(labels(one), one));
        Map<Labels, Integer> lists = new LinkedHashMap<>();
        for (GuardList list : GuardList.values()) {
            lists.put(Labels.of("list", list.name().toLowerCase(Locale.ROOT)), guard.size(list));
        }
        List<MetricSnapshot> all = new ArrayList<>();
        VERDICTS.forEach(column -> all.add(column.snapshot(verdicts)));
        INTERFACES.forEach(column -> all.add(column.snapshot(interfaces)));
        LISTS.forEach(column -> all.add(column.snapshot(lists)));
        GUARD.forEach(column -> all.add(column.snapshot(Map.of(Labels.EMPTY, guard))));
        return new MetricSnapshots(all);
    }

    private static Labels labels(GuardInterface one) {
        return Labels.of("interface", one.name(), "hook", one.hook().isEmpty() ? "none" : one.hook());
    }
}

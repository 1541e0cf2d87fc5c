// SPDX-License-Identifier: Apache-2.0
package io.aether.agent.metrics;

import io.aether.agent.bpf.ControlCounters;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What the congestion control says of itself. Stateless. */
final class ControlSeries {
    static final List<Column<ControlCounters>> CONTROL = List.of(
            Column.counter("aether_ebpf_control_connections", "Connections it took", ControlCounters::taken),
            Column.counter(
                    "aether_ebpf_control_fallbacks",
                    "Connections left to the system's control for want of ECN",
                    ControlCounters::left),
            Column.counter("aether_ebpf_control_words", "Words of clients heard by servers", ControlCounters::words),
            Column.counter("aether_ebpf_control_timeouts", "Timeouts of its servers", ControlCounters::timeouts));

    private ControlSeries() {}

    static List<MetricSnapshot> snapshots(@Nullable ControlCounters control) {
        if (control == null) {
            return List.of();
        }
        return CONTROL.stream()
                .map(column -> column.snapshot(Map.of(Labels.EMPTY, control)))
                .toList();
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.aether.agent.metrics;

import io.aether.agent.stream.EdgeStream;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import java.util.List;
import java.util.Map;

/** What the stream of edges says of itself. Stateless. */
final class StreamSeries {
    static final List<Column<EdgeStream.Totals>> STREAM = List.of(
            Column.gauge("aether_ebpf_stream_subscribers", "Open streams", EdgeStream.Totals::subscribers),
            Column.counter("aether_ebpf_stream_events", "Events published", EdgeStream.Totals::events),
            Column.counter("aether_ebpf_stream_pump_losses", "Edges lost before", EdgeStream.Totals::pumpLosses),
            Column.counter(
                    "aether_ebpf_stream_subscriber_losses",
                    "Events that slow subscribers missed",
                    EdgeStream.Totals::subscriberLosses),
            Column.counter("aether_ebpf_stream_refusals", "Subscribers turned away", EdgeStream.Totals::refusals));

    private StreamSeries() {}

    static List<MetricSnapshot> snapshots(EdgeStream.Totals totals) {
        return STREAM.stream()
                .map(column -> column.snapshot(Map.of(Labels.EMPTY, totals)))
                .toList();
    }
}

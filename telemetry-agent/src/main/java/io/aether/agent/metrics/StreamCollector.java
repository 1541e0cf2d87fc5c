// SPDX-License-Identifier: Apache-2.0
package io.aether.agent.metrics;

import io.aether.agent.stream.EdgeStream;
import io.prometheus.metrics.model.registry.MultiCollector;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.util.List;
import java.util.Map;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.stereotype.Component;

/** What the stream of edges says of itself. Thread-safe. */
@Component
class StreamCollector implements MultiCollector {
    static final List<Column<EdgeStream.Totals>> STREAM = List.of(
            Column.gauge("aether_ebpf_stream_subscribers", "Open streams", EdgeStream.Totals::subscribers),
            Column.counter("aether_ebpf_stream_events", "Events published", EdgeStream.Totals::events),
            Column.counter("aether_ebpf_stream_pump_losses", "Edges lost before", EdgeStream.Totals::pumpLosses),
            Column.counter(
                    "aether_ebpf_stream_subscriber_losses",
                    "Events that slow subscribers missed",
                    EdgeStream.Totals::subscriberLosses),
            Column.counter("aether_ebpf_stream_refusals", "Subscribers turned away", EdgeStream.Totals::refusals));

    private final EdgeStream stream;

    StreamCollector(EdgeStream stream, ObjectProvider<PrometheusRegistry> registry) {
        this.stream = stream;
        registry.ifAvailable(available -> available.register(this));
    }

    @Override
    public MetricSnapshots collect() {
        Map<Labels, EdgeStream.Totals> totals = Map.of(Labels.EMPTY, stream.totals());
        return new MetricSnapshots(
                STREAM.stream().map(column -> column.snapshot(totals)).toList());
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.aether.agent.metrics;

import io.aether.agent.AgentProperties;
import io.aether.agent.bpf.Histograms;
import io.aether.agent.bpf.PumpCounters;
import io.aether.agent.probe.ProbeService;
import io.aether.agent.view.EndpointService;
import io.aether.core.NanoClock;
import io.prometheus.metrics.model.registry.MultiCollector;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.util.ArrayList;
import java.util.List;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.stereotype.Component;

/**
 * Everything of the kernel's in one scrape: one pass over the table and one batch read of the histograms. Nothing is
 * kept between scrapes but the running totals of what has no series of its own. Thread-safe.
 */
@Component
class KernelCollector implements MultiCollector {
    private final ProbeService probes;
    private final EndpointService endpoints;
    private final NanoClock clock;
    private final EndpointSeries endpointSeries;
    private final CgroupSeries cgroupSeries;

    KernelCollector(
            AgentProperties properties,
            ProbeService probes,
            EndpointService endpoints,
            NanoClock clock,
            ObjectProvider<PrometheusRegistry> registry) {
        this.probes = probes;
        this.endpoints = endpoints;
        this.clock = clock;
        AgentProperties.Metrics metrics = properties.metrics();
        endpointSeries = new EndpointSeries(metrics.maxSeries(), metrics.idleAfter());
        cgroupSeries =
                new CgroupSeries(metrics.maxSeries(), metrics.minCgroupAge(), endpoints::cgroupName, clock::nanos);
        registry.ifAvailable(available -> available.register(this));
    }

    @Override
    public synchronized MetricSnapshots collect() {
        List<MetricSnapshot> all = new ArrayList<>(endpointSeries.snapshots(endpoints.read()));
        Histograms runQueue = probes.runQueue();
        PumpCounters counters = probes.counters();
        all.addAll(cgroupSeries.snapshots(runQueue));
        all.addAll(SelfSeries.snapshots(probes.status(), probes.table(), counters));
        all.addAll(ControlSeries.snapshots(probes.control()));
        if (counters != null) {
            all.addAll(ProbeSeries.snapshots(new ProbeSeries.View(
                    probes.probeCounters(),
                    probes.maps(),
                    counters.droppedEdges(),
                    runQueue.cgroups().size(),
                    clock.nanos())));
        }
        // A metric without samples would leave a lone help text.
        all.removeIf(snapshot -> snapshot.getDataPoints().isEmpty());
        return new MetricSnapshots(all);
    }
}

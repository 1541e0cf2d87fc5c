// SPDX-License-Identifier: Apache-2.0
package io.aether.agent.web;

import io.aether.agent.AgentProperties;
import io.aether.agent.bpf.ProbeStatus;
import io.aether.agent.probe.AgentStatus;
import io.aether.agent.probe.ProbeService;
import io.aether.agent.view.EndpointService;
import io.aether.agent.view.Endpoints;
import io.aether.agent.view.LocalView;
import io.aether.agent.view.PeerView;
import io.aether.core.table.HealthTable;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** The health table as JSON. */
@RestController
class EndpointsController {
    private static final long NANOS_PER_MILLI = 1_000_000;

    private final AgentProperties properties;
    private final ProbeService probes;
    private final EndpointService endpoints;

    EndpointsController(AgentProperties properties, ProbeService probes, EndpointService endpoints) {
        this.properties = properties;
        this.probes = probes;
        this.endpoints = endpoints;
    }

    /** Everything at one moment. */
    record Answer(Agent agent, List<PeerView> peers, List<LocalView> locals) {}

    /** The agent itself; {@code table} is null while none is written. */
    record Agent(
            String state,
            String reason,
            String fix,
            String cgroup,
            @Nullable Table table,
            List<Probe> probes) {}

    /** @param heartbeatMillis age of the pump's last sign of life */
    record Table(String path, int slots, long used, long refused, long heartbeatMillis) {}

    /** One kernel object, as in the health endpoint. */
    record Probe(String name, String state, String reason, String fix, Map<String, Integer> programs) {
        static Probe of(ProbeStatus status) {
            return new Probe(
                    status.name(),
                    status.state().name().toLowerCase(Locale.ROOT),
                    status.reason(),
                    status.fix(),
                    status.programs());
        }
    }

    @GetMapping("/api/v1/endpoints")
    Answer endpoints() {
        AgentStatus status = probes.status();
        Endpoints seen = endpoints.read();
        Agent agent = new Agent(
                status.state().name().toLowerCase(Locale.ROOT),
                status.reason(),
                status.fix(),
                status.cgroup(),
                table(probes.table()),
                status.probes().stream().map(Probe::of).toList());
        return new Answer(agent, seen.peers(), seen.locals());
    }

    private @Nullable Table table(@Nullable HealthTable table) {
        if (table == null) {
            return null;
        }
        return new Table(
                properties.tablePath().toString(),
                table.slotCount(),
                table.used(),
                table.refused(),
                table.heartbeatAgeNanos() / NANOS_PER_MILLI);
    }
}

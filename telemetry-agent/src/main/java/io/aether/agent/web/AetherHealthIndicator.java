// SPDX-License-Identifier: Apache-2.0
package io.aether.agent.web;

import io.aether.agent.bpf.Pins;
import io.aether.agent.bpf.Privileges;
import io.aether.agent.bpf.ProbeStatus;
import io.aether.agent.probe.AgentState;
import io.aether.agent.probe.AgentStatus;
import io.aether.agent.probe.ProbeService;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.Status;
import org.springframework.stereotype.Component;

/**
 * The component {@code aether} of the health endpoint. A node where the kernel cannot be watched is a normal place to
 * run, so that is UP with {@code degraded: true}; what an operator must repair is OUT_OF_SERVICE or DOWN.
 */
@Component
class AetherHealthIndicator extends AbstractHealthIndicator {
    private final ProbeService service;

    AetherHealthIndicator(ProbeService service) {
        this.service = service;
    }

    @Override
    protected void doHealthCheck(Health.Builder builder) {
        AgentStatus status = service.status();
        builder.status(statusOf(status.state()))
                .withDetail("state", lower(status.state()))
                .withDetail("degraded", status.degraded());
        if (!status.reason().isEmpty()) {
            builder.withDetail("reason", status.reason()).withDetail("fix", status.fix());
        }
        builder.withDetail("cgroup", status.cgroup());
        Map<String, Object> probes = new LinkedHashMap<>();
        status.probes().forEach(probe -> probes.put(probe.name(), details(probe)));
        builder.withDetail("probes", probes);
        builder.withDetail("pins", details(service.pins()));
        builder.withDetail("privileges", details(service.privileges()));
    }

    private static Map<String, Object> details(Pins pins) {
        Map<String, Object> details = new LinkedHashMap<>();
        details.put("directory", pins.directory());
        details.put("reason", pins.reason());
        details.put("fix", pins.fix());
        pins.probes().forEach((probe, state) -> details.put(probe, lower(state)));
        return details;
    }

    private static Map<String, Object> details(Privileges privileges) {
        Map<String, Object> details = new LinkedHashMap<>();
        details.put("dropped", privileges.dropped());
        details.put("kept", privileges.kept());
        details.put("surveyor", privileges.surveyor());
        details.put("reason", privileges.reason());
        return details;
    }

    private static Map<String, Object> details(ProbeStatus probe) {
        Map<String, Object> details = new LinkedHashMap<>();
        details.put("state", lower(probe.state()));
        details.put("reason", probe.reason());
        details.put("fix", probe.fix());
        details.put("programs", probe.programs());
        return details;
    }

    private static Status statusOf(AgentState state) {
        return switch (state) {
            case WATCHING, DEGRADED, UNAVAILABLE, STARTING -> Status.UP;
            case TABLE_UNWRITABLE, STOPPED -> Status.OUT_OF_SERVICE;
            case PUMP_ENDED -> Status.DOWN;
        };
    }

    private static String lower(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT);
    }
}

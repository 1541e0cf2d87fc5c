// SPDX-License-Identifier: Apache-2.0
package io.aether.agent.probe;

import io.aether.agent.bpf.Pins;
import io.aether.agent.bpf.Privileges;
import io.aether.agent.bpf.ProbeStatus;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What the operator reads about what an earlier agent left and about the capabilities. */
final class StartLog {
    private static final Logger log = LoggerFactory.getLogger(ProbeService.class);

    private StartLog() {}

    static void probe(ProbeStatus status, boolean fine) {
        String state = status.state().name().toLowerCase(Locale.ROOT);
        if (fine) {
            log.info("Probe {}: {}", status.name(), state);
            return;
        }
        log.atWarn()
                .addKeyValue("aether.probe", status.name())
                .addKeyValue("aether.state", state)
                .addKeyValue("aether.reason", status.reason())
                .addKeyValue("aether.fix", status.fix())
                .log("Probe {}: {}: {}. Fix: {}.", status.name(), state, status.reason(), status.fix());
    }

    static void pins(Pins pins) {
        if (!pins.reason().isEmpty()) {
            log.warn(
                    "Not pinned: {}. While no agent runs nothing is seen, and the next one starts afresh. Fix: {}.",
                    pins.reason(),
                    pins.fix());
        }
        String taken = probes(pins, Pins.State.TAKEN);
        if (!taken.isEmpty()) {
            log.info("Taken over from an earlier agent, with all that its programs saw meanwhile: {}", taken);
        }
        String replaced = probes(pins, Pins.State.REPLACED);
        if (!replaced.isEmpty()) {
            log.warn(
                    "Replaced, for their maps have another layout or watched another cgroup: {}. What they held is gone",
                    replaced);
        }
    }

    private static String probes(Pins pins, Pins.State state) {
        return pins.probes().entrySet().stream()
                .filter(entry -> entry.getValue() == state)
                .map(Map.Entry::getKey)
                .sorted()
                .collect(Collectors.joining(", "));
    }

    static void privileges(Privileges privileges) {
        if (!privileges.reason().isEmpty()) {
            log.warn("Capabilities are kept: {}", privileges.reason());
        } else if (privileges.dropped()) {
            log.info(
                    "Capabilities given up; kept by all threads: {}; by the one that visits other network namespaces: {}",
                    named(privileges.kept()),
                    named(privileges.surveyor()));
        }
    }

    private static String named(String capabilities) {
        return capabilities.isEmpty() ? "none" : capabilities;
    }
}

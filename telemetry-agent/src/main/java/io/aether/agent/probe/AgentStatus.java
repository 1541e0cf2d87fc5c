// SPDX-License-Identifier: Apache-2.0
package io.aether.agent.probe;

import io.aether.agent.bpf.ProbeStatus;
import java.util.List;

/**
 * The agent's state at one moment.
 *
 * @param reason why it is not {@link AgentState#WATCHING}; empty when it is
 * @param fix what an operator can do about it; may be empty
 * @param cgroup what is watched, or why nothing is
 * @param probes one for each kernel object; empty without the native library
 */
public record AgentStatus(AgentState state, String reason, String fix, String cgroup, List<ProbeStatus> probes) {
    /** Whether less is seen than was asked for. */
    public boolean degraded() {
        return state != AgentState.WATCHING;
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.aether.agent.bpf;

import java.util.Map;

/**
 * One probe's state.
 *
 * @param name {@code flow}, {@code queue}, {@code sched}, {@code health}, {@code http} or {@code tls}
 * @param state whether it works
 * @param reason why not, or what of it is missing; empty when it works in full
 * @param fix what the operator can do about it; may be empty
 * @param programs the kernel's ids of its loaded programs by name, as {@code bpftool prog show id} takes them
 */
public record ProbeStatus(String name, State state, String reason, String fix, Map<String, Integer> programs) {
    /** What became of a probe. */
    public enum State {
        ATTACHED,
        /** The kernel lacks something. */
        UNSUPPORTED,
        /** A privilege is missing. */
        DENIED,
        /** Somebody else's program holds the attach point alone. */
        CONFLICT,
        /** Switched off by configuration. */
        DISABLED
    }

    public ProbeStatus {
        programs = Map.copyOf(programs);
    }
}

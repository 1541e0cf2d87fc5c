// SPDX-License-Identifier: Apache-2.0
package io.aether.agent.bpf;

import java.util.Locale;

/** Why a packet passed or not, in the order of {@code enum guard_verdict} in {@code aether_guard.h}. */
public enum GuardVerdict {
    ESTABLISHED,
    MANAGEMENT,
    ALLOWED,
    SYN,
    NEIGHBOUR,
    STRAY,
    FRAGMENT,
    OTHER,
    COOKIE,
    BLOCKED,
    SYN_RATE,
    TRUNCATED,
    MALFORMED,
    EXTENSIONS;

    /** Whether such packets are dropped when the guard enforces. */
    public boolean drops() {
        return compareTo(BLOCKED) >= 0;
    }

    /** As metrics name it: {@code syn_rate}. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.aether.bench.peers;

import java.util.Arrays;
import java.util.Locale;

/** Who chooses the server of a request. */
public enum Policy {
    ROUND_ROBIN,
    FINAGLE,
    FINAGLE_EWMA,
    SERVICETALK,
    SERVICETALK_P2C,
    STORK,
    DUBBO_ADAPTIVE,
    HAPROXY,
    NGINX,
    AETHER_APPLICATION,
    AETHER_KERNEL;

    /** As in the rows. */
    public String label() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    boolean ours() {
        return this == AETHER_APPLICATION || this == AETHER_KERNEL;
    }

    /** Whether a process between clients and servers chooses. */
    public boolean proxy() {
        return this == HAPROXY || this == NGINX;
    }

    /** The one of that label. */
    public static Policy of(String label) {
        return Arrays.stream(values())
                .filter(policy -> policy.label().equals(label))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no policy is called '" + label + "'"));
    }
}

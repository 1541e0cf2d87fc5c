// SPDX-License-Identifier: Apache-2.0
package io.aether.bench.incast;

import java.util.List;

/**
 * A way to control congestion. Each has an address of the aggregator's for itself, so that the senders' routes tell the
 * kernel which one a connection is under; all of them live through the whole run side by side and take turns.
 */
enum Policy {
    /** The control of the agent; what is left to the system's would be cubic. */
    AETHER("aether", 1, "congctl cubic"),
    CUBIC("cubic", 2, "congctl cubic"),
    BBR("bbr", 3, "congctl bbr"),
    /** Cubic with the least timeout that the control has: what comes from not waiting 200 ms. */
    CUBIC_RTO10("cubic-rto10", 4, "congctl cubic rto_min 10ms");

    private final String label;
    private final int host;
    private final String route;

    Policy(String label, int host, String route) {
        this.label = label;
        this.host = host;
        this.route = route;
    }

    /** As the rows have it. */
    String label() {
        return label;
    }

    /** Of the aggregator. */
    String address() {
        return Stage.NETWORK + "1." + host;
    }

    /** Of its addresses, the last number. */
    int host() {
        return host;
    }

    /** Of the senders: one that the agent knows for its control, and one for the others. */
    String senders() {
        return Stage.NETWORK + (this == AETHER ? "2.1" : "2.2");
    }

    /** Metrics of the senders' route to {@link #address}, in the words of {@code ip}. */
    List<String> route() {
        return List.of(route.split(" ", -1));
    }
}

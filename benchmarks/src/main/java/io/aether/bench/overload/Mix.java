// SPDX-License-Identifier: Apache-2.0
package io.aether.bench.overload;

import io.aether.bench.sim.Chance;
import io.aether.core.limit.Priority;

/** Which requests there are. */
public enum Mix {
    /** All alike, clients alike. */
    EQUAL,
    /** A quarter of each tier. */
    TIERS,
    /** Half of the clients want ten times what the others want. */
    SKEWED;

    private static final Priority[] PRIORITIES = Priority.values();
    private static final double TIMES = 10;

    /** The tier of the next request. */
    public Priority draw(Chance chance) {
        return this == TIERS ? PRIORITIES[chance.below(PRIORITIES.length)] : Priority.CRITICAL;
    }

    /** The share of all demand that comes from one client. */
    public double share(int client, int clients) {
        if (this != SKEWED) {
            return 1.0 / clients;
        }
        int heavy = (clients + 1) / 2;
        double whole = heavy * TIMES + (clients - heavy);
        return (client < heavy ? TIMES : 1) / whole;
    }
}

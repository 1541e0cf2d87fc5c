// SPDX-License-Identifier: Apache-2.0
package io.aether.bench.sim;

import java.util.List;
import java.util.stream.DoubleStream;

/**
 * Clients of one zone, and what leaves it as it fills: two zones of three servers, four workers of 2 ms each. The share is that
 * of the other zone's servers. Peers do not know zones.
 */
final class Zoned {
    private static final int NEAR = 3;
    private static final int WORKERS = 4;
    private static final double MILLIS = 2;

    /** Half a millisecond there and back, as between data centres of one region. */
    private static final long CROSS_NANOS = Agenda.MILLI / 4;

    private Zoned() {}

    /** Loads of the clients' zone, of its own capacity. */
    static List<Scenario> all() {
        return DoubleStream.of(0.3, 0.6, 0.8, 1.0, 1.3, 1.6)
                .mapToObj(Zoned::scenario)
                .toList();
    }

    private static Scenario scenario(double load) {
        String name = "zones-" + Math.round(100 * load);
        return new Scenario(name, false, 20, NEAR, () -> plan(load), (world, seconds) -> {});
    }

    private static Plan plan(double load) {
        Plan plan = new Plan().fleet(2 * NEAR, 1).work(WORKERS, MILLIS, 1);
        plan.zones = 2;
        plan.zoneSize = NEAR;
        plan.crossZoneNanos = CROSS_NANOS;
        return plan.rate(load * NEAR * WORKERS / MILLIS * 1000);
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.aether.bench.overload.gate;

import com.netflix.concurrency.limits.limit.Gradient2Limit;
import com.netflix.concurrency.limits.limit.VegasLimit;
import io.aether.bench.overload.Bout;
import io.aether.bench.overload.Target;
import io.aether.core.NanoClock;
import io.aether.core.table.EndpointAddress;
import io.aether.core.table.HealthTable;

/**
 * Makes the gates of one client process.
 *
 * @param table that the agent writes
 * @param netns of this process
 */
public record Gates(HealthTable table, long netns) {
    /** Of capacity: with all of it the queue is a random walk. */
    private static final double STATIC_SHARE = 0.95;

    /** A gate for one client of the bout, which sends to {@code server}. */
    public Gate make(Bout bout, EndpointAddress server) {
        return switch (bout.policy()) {
            case AETHER -> new AetherGate(table, netns, server);
            case GRADIENT2 -> new ConcurrencyGate(Gradient2Limit.newDefault());
            case VEGAS -> new ConcurrencyGate(VegasLimit.newDefault());
            case THROTTLE -> new ThrottleGate(NanoClock.system());
            case STATIC -> new StaticGate(NanoClock.system(), STATIC_SHARE * Target.CAPACITY / bout.clients());
            case SENTINEL -> new BreakerGate();
            case NONE, SHED, SENTINEL_BBR -> Gate.open();
        };
    }
}

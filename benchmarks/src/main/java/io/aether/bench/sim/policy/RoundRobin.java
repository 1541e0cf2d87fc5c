// SPDX-License-Identifier: Apache-2.0
package io.aether.bench.sim.policy;

import io.aether.core.Dice;
import org.jspecify.annotations.Nullable;

/** One after the other from a random start, as Spring's RoundRobinLoadBalancer does. */
public final class RoundRobin implements Policy {
    private final Dice dice;
    private int[] servers = {};
    private int position;

    public RoundRobin(Dice dice) {
        this.dice = dice;
        this.position = dice.below(1000);
    }

    @Override
    public void list(int[] listed) {
        servers = listed;
        position = dice.below(listed.length);
    }

    @Override
    public int pick(long now) {
        position = (position + 1) % servers.length;
        return servers[position];
    }

    @Override
    public void done(int server, long sent, long now, Ending ending, @Nullable Load load) {}
}

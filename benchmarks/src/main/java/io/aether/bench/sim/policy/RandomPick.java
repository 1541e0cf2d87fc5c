// SPDX-License-Identifier: Apache-2.0
package io.aether.bench.sim.policy;

import io.aether.core.Dice;
import org.jspecify.annotations.Nullable;

/** Any of them, as Spring's RandomLoadBalancer does. */
public final class RandomPick implements Policy {
    private final Dice dice;
    private int[] servers = {};

    public RandomPick(Dice dice) {
        this.dice = dice;
    }

    @Override
    public void list(int[] listed) {
        servers = listed;
    }

    @Override
    public int pick(long now) {
        return servers[dice.below(servers.length)];
    }

    @Override
    public void done(int server, long sent, long now, Ending ending, @Nullable Load load) {}
}

// SPDX-License-Identifier: Apache-2.0
package io.aether.bench.sim.policy;

import io.aether.core.Dice;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Power of two choices: two distinct servers at random, the one with less load gets the request (Mitzenmacher 2001).
 * Unavailable servers are drawn again up to five times, as Finagle's and Tower's balancers do.
 *
 * @param <S> what is kept of a server
 */
abstract class TwoChoices<S extends TwoChoices.Stats> implements Policy {
    private static final int EFFORT = 5;

    /** What every policy counts. */
    static class Stats {
        int inFlight;
        int failuresInARow;
        long deadUntil;
        int ejections;
    }

    private final Dice dice;
    private final Supplier<S> make;
    private final Map<Integer, S> known = new HashMap<>();
    private int[] servers = {};

    TwoChoices(Dice dice, Supplier<S> make) {
        this.dice = dice;
        this.make = make;
    }

    @Override
    public void list(int[] listed) {
        servers = listed;
        for (int server : listed) {
            known.computeIfAbsent(server, key -> make.get());
        }
    }

    S stats(int server) {
        return Objects.requireNonNull(known.get(server));
    }

    /** The load now; the smaller one wins, and ties are decided by who was drawn first, at random. */
    abstract double load(S stats, long now);

    /** Failures in a row that take a server out; 0 for never. */
    int failuresToEject() {
        return 0;
    }

    /** How long the n-th ejection in a row lasts. */
    long ejectionNanos(int n) {
        return 0;
    }

    @Override
    public int pick(long now) {
        int chosen = servers[0];
        for (int round = 0; round < EFFORT; round++) {
            chosen = choose(now);
            if (available(stats(chosen), now)) {
                break;
            }
        }
        stats(chosen).inFlight++;
        return chosen;
    }

    private int choose(long now) {
        if (servers.length == 1) {
            return servers[0];
        }
        int first = dice.below(servers.length);
        int second = dice.below(servers.length - 1);
        int a = servers[first];
        int b = servers[second >= first ? second + 1 : second];
        S left = stats(a);
        S right = stats(b);
        boolean up = available(left, now);
        if (up != available(right, now)) {
            return up ? a : b;
        }
        return load(left, now) <= load(right, now) ? a : b;
    }

    /** In, or due for the one request that decides. */
    private boolean available(S stats, long now) {
        return stats.deadUntil == 0 || (now >= stats.deadUntil && stats.inFlight == 0);
    }

    @Override
    public void done(int server, long sent, long now, Ending ending, @Nullable Load load) {
        S stats = stats(server);
        stats.inFlight--;
        if (ending == Ending.OK) {
            stats.failuresInARow = 0;
            stats.ejections = 0;
            stats.deadUntil = 0;
        } else if (failuresToEject() > 0 && ++stats.failuresInARow >= failuresToEject() && now >= stats.deadUntil) {
            stats.deadUntil = now + ejectionNanos(++stats.ejections);
        }
        observe(stats, now - sent, now, ending, load);
    }

    /** Learns from an ending. */
    abstract void observe(S stats, long latency, long now, Ending ending, @Nullable Load load);
}

// SPDX-License-Identifier: Apache-2.0
package io.aether.bench.sim.policy;

import io.aether.core.Dice;
import io.aether.core.NanoClock;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Prequal with asynchronous probes (Wydrowski et al., NSDI '24) and its baseline: three probes per request, a pool of
 * 16 with an age limit of 1 s, one removed per request (oldest and worst in turn), hot above the 0.84 quantile of requests
 * in flight, the least latency among the cold, the fewest in flight if all are hot. Fewer than two in the pool: at random. The
 * reuse budget is undefined for fleets up to the pool's size; there {@code m / n + 1}, as a published replication has it.
 */
public final class Prequal implements Policy {
    static final int POOL = 16;
    private static final int PROBES = 3;
    private static final long MOST_AGE_NANOS = 1_000_000_000L;
    private static final double QUANTILE = Math.pow(2, -0.25);
    private static final int RECENT = 128;

    private final Dice dice;
    private final Network network;
    private final NanoClock clock;
    private final List<Probe> pool = new ArrayList<>();
    private final int[] recent = new int[RECENT];
    private final int[] sorted = new int[RECENT];
    private int[] servers = {};
    private int heard;
    private boolean worstNext;

    private static final class Probe {
        final int server;
        final double latency;
        final long received;
        int inFlight;
        int usesLeft;

        Probe(int server, Load load, long received, int uses) {
            this.server = server;
            this.latency = load.latencyNanos();
            this.received = received;
            this.inFlight = load.inFlight();
            this.usesLeft = uses;
        }
    }

    public Prequal(Dice dice, NanoClock clock, Network network) {
        this.dice = dice;
        this.clock = clock;
        this.network = network;
    }

    @Override
    public void list(int[] listed) {
        servers = listed;
        pool.removeIf(probe -> Arrays.stream(listed).noneMatch(server -> server == probe.server));
    }

    @Override
    public int pick(long now) {
        pool.removeIf(probe -> now - probe.received > MOST_AGE_NANOS);
        int chosen = pool.size() < 2 ? servers[dice.below(servers.length)] : use(best());
        if (!pool.isEmpty()) {
            remove();
        }
        probe();
        return chosen;
    }

    private int use(Probe probe) {
        probe.inFlight++; // The request that goes there now.
        if (--probe.usesLeft <= 0) {
            pool.remove(probe);
        }
        return probe.server;
    }

    private Probe best() {
        int threshold = threshold();
        Probe best = pool.get(0);
        for (Probe probe : pool) {
            if (better(probe, best, threshold)) {
                best = probe;
            }
        }
        return best;
    }

    private static boolean better(Probe probe, Probe than, int threshold) {
        boolean hot = probe.inFlight > threshold;
        if (hot != than.inFlight > threshold) {
            return !hot;
        }
        return hot ? probe.inFlight < than.inFlight : probe.latency < than.latency;
    }

    private int threshold() {
        int count = Math.min(heard, RECENT);
        System.arraycopy(recent, 0, sorted, 0, count);
        Arrays.sort(sorted, 0, count);
        return count == 0 ? Integer.MAX_VALUE : sorted[(int) Math.min(count - 1, QUANTILE * count)];
    }

    private void remove() {
        Probe victim = pool.get(0); // The oldest: entries are in the order of their coming.
        if (worstNext) {
            int threshold = threshold();
            for (Probe probe : pool) {
                if (better(victim, probe, threshold)) {
                    victim = probe;
                }
            }
        }
        worstNext = !worstNext;
        pool.remove(victim);
    }

    private void probe() {
        int count = Math.min(PROBES, servers.length);
        int[] asked = new int[count];
        for (int i = 0; i < count; ) {
            int server = servers[dice.below(servers.length)];
            boolean fresh = true;
            for (int j = 0; j < i; j++) {
                fresh &= asked[j] != server;
            }
            if (fresh) {
                asked[i++] = server;
                network.probe(server, load -> receive(server, load));
            }
        }
    }

    private void receive(int server, Load load) {
        recent[heard++ % RECENT] = load.inFlight();
        if (pool.size() >= POOL) {
            pool.remove(0);
        }
        pool.add(new Probe(server, load, clock.nanos(), uses()));
    }

    /** The budget's fraction is decided by the dice. */
    private int uses() {
        double budget = budget(servers.length);
        int whole = (int) budget;
        return whole + (dice.below(1 << 20) < (budget - whole) * (1 << 20) ? 1 : 0);
    }

    static double budget(int servers) {
        double rest = (1 - (double) POOL / servers) * PROBES - 1;
        return rest <= 0 ? (double) POOL / servers + 1 : Math.max(1, 2 / rest);
    }

    @Override
    public void done(int server, long sent, long now, Ending ending, @Nullable Load load) {}
}

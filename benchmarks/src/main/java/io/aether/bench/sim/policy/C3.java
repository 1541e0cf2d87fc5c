// SPDX-License-Identifier: Apache-2.0
package io.aether.bench.sim.policy;

import io.aether.core.Dice;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * C3 (Suresh et al., NSDI '15), its ranking: the least {@code R - s + q^3 s} with {@code q = 1 + os * n + queue}; R the
 * response time as seen here, s the service time and queue the requests in flight as the server says (all averaged, the
 * newest with 0.9), os own requests outstanding, n the number of clients. Ranks a group of up to {@value #GROUP} servers
 * per request (the paper's replica groups are of three); its rate control is left out, as in Prequal's comparison.
 */
public final class C3 implements Policy {
    static final int GROUP = 5;
    private static final double NEWEST = 0.9;

    private final Dice dice;
    private final int clients;
    private final Map<Integer, Stats> known = new HashMap<>();
    private final int[] group = new int[GROUP];
    private int[] servers = {};

    /** Of one server. */
    static final class Stats {
        int outstanding;
        double response;
        double service;
        double queue;
        boolean heard;

        double score(int clients) {
            double q = 1 + (double) outstanding * clients + queue;
            return response - service + q * q * q * service;
        }

        void hear(double latency, Load load) {
            double weight = heard ? NEWEST : 1;
            heard = true;
            response += weight * (latency - response);
            service += weight * (load.serviceNanos() - service);
            queue += weight * (load.inFlight() - queue);
        }
    }

    public C3(Dice dice, int clients) {
        this.dice = dice;
        this.clients = clients;
    }

    @Override
    public void list(int[] listed) {
        servers = listed;
        for (int server : listed) {
            known.computeIfAbsent(server, key -> new Stats());
        }
    }

    @Override
    public int pick(long now) {
        int size = draw();
        int chosen = group[0];
        double least = Double.MAX_VALUE;
        for (int i = 0; i < size; i++) {
            double score = stats(group[i]).score(clients);
            if (score < least) {
                least = score;
                chosen = group[i];
            }
        }
        stats(chosen).outstanding++;
        return chosen;
    }

    private Stats stats(int server) {
        return Objects.requireNonNull(known.get(server));
    }

    /** Distinct ones in random order. */
    private int draw() {
        int size = Math.min(GROUP, servers.length);
        for (int i = 0; i < size; ) {
            int candidate = servers[dice.below(servers.length)];
            boolean fresh = true;
            for (int j = 0; j < i; j++) {
                fresh &= group[j] != candidate;
            }
            if (fresh) {
                group[i++] = candidate;
            }
        }
        return size;
    }

    @Override
    public void done(int server, long sent, long now, Ending ending, @Nullable Load load) {
        Stats stats = stats(server);
        stats.outstanding--;
        if (load != null) {
            stats.hear((double) (now - sent), load);
        } else {
            stats.response += NEWEST * (now - sent - stats.response);
        }
    }
}

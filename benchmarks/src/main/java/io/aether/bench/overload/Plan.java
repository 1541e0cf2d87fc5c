// SPDX-License-Identifier: Apache-2.0
package io.aether.bench.overload;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The bouts of a run, policies next to each other, so that what the machine does meanwhile hits them alike. Handed out to
 * lanes that play at the same time; of those that keep the processors busy only a few at once. Thread-safe.
 */
final class Plan {
    private static final Phases PHASES = new Phases(4000, 2000, 8000, 4000);
    private static final Phases WARM_UP = new Phases(300, 0, 1200, 100);

    private static final double[] FACTORS = {1.2, 2, 4, 10};
    private static final double[] QUICK_FACTORS = {2, 10};
    private static final int[] CLIENTS = {20, 100};
    /** Of each row of ours; of a rival's one has to do, or a run would take more than an hour. */
    private static final int DRAWS = 3;

    private static final int MOST_HEAVY = 3;
    /** Requests per second that reach the server, from which a bout is heavy. */
    private static final double HEAVY = 1500;

    private final List<Bout> left = new ArrayList<>();
    private final int count;
    private int heavy;

    private Plan(List<Bout> bouts, String only) {
        bouts.stream().filter(bout -> bout.row().contains(only)).forEach(left::add);
        count = left.size();
    }

    static Plan of(Options options) {
        List<Bout> bouts = new ArrayList<>();
        boolean quick = options.bench().quick();
        for (int clients : quick ? new int[] {CLIENTS[0]} : CLIENTS) {
            for (double factor : quick ? QUICK_FACTORS : FACTORS) {
                for (Policy policy : Policy.values()) {
                    int draws = policy == Policy.AETHER && !quick ? DRAWS : 1;
                    for (int i = 0; i < draws; i++) {
                        add(bouts, options, policy, clients, factor, options.draw() + i);
                    }
                }
            }
        }
        return new Plan(bouts, options.only());
    }

    private static void add(List<Bout> bouts, Options options, Policy policy, int clients, double factor, int draw) {
        boolean quick = options.bench().quick();
        if (!options.ecn() && policy != Policy.AETHER && policy != Policy.SHED) {
            return; // Nothing that the others hear has changed.
        }
        bouts.add(bout(policy, clients, factor, false, Mix.EQUAL, draw));
        if (policy.refuses() && !(quick && factor < 10)) {
            bouts.add(bout(policy, clients, factor, true, Mix.EQUAL, draw));
        }
        if (!quick && clients == CLIENTS[0] && (policy == Policy.AETHER || policy == Policy.SHED)) {
            bouts.add(bout(policy, clients, factor, false, Mix.SKEWED, draw));
        }
    }

    private static Bout bout(Policy policy, int clients, double factor, boolean costly, Mix mix, int draw) {
        long seed = draw * 1_000_000L
                + clients * 1000L
                + Math.round(factor * 10); // The same arrivals and work for every policy.
        return new Bout(policy, clients, factor, costly, mix, seed, PHASES);
    }

    /** For the compilers of both processes, and what rivals do when they are used first. */
    static List<Bout> warmUp() {
        return Stream.of(Policy.values())
                .map(policy -> new Bout(policy, Address.COUNT, 3, false, Mix.EQUAL, 1, WARM_UP))
                .toList();
    }

    /** How many there were at first. */
    int count() {
        return count;
    }

    /** The next bout, or null when there is none left; its {@link #done} is to be told. */
    synchronized @Nullable Bout next() throws InterruptedException {
        while (!left.isEmpty()) {
            for (Iterator<Bout> each = left.iterator(); each.hasNext(); ) {
                Bout bout = each.next();
                if (!heavy(bout) || heavy < MOST_HEAVY) {
                    heavy += heavy(bout) ? 1 : 0;
                    each.remove();
                    return bout;
                }
            }
            wait();
        }
        return null;
    }

    synchronized void done(Bout bout) {
        heavy -= heavy(bout) ? 1 : 0;
        notifyAll();
    }

    /** Where nothing holds the clients back. */
    private static boolean heavy(Bout bout) {
        boolean open = switch (bout.policy()) {
            case NONE, SHED, GRADIENT2, SENTINEL_BBR -> true;
            case AETHER, VEGAS, SENTINEL, THROTTLE, STATIC -> false;
        };
        return open && bout.factor() * Target.CAPACITY >= HEAVY;
    }
}

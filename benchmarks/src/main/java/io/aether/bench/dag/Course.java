// SPDX-License-Identifier: Apache-2.0
package io.aether.bench.dag;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Consumer;

/**
 * Blocks one after the other, without and with limits in turn, the pairs forwards and backwards: a machine that gets slower meanwhile
 * then treats both alike. Both blocks of a pair meet the same requests.
 */
final class Course {

    private static final long LEAD_NANOS = 200_000_000;
    private static final long STEP_MILLIS = 500;

    /** Told of what is going on. */
    interface Listener {
        /** Twice a second. */
        void tick(Limits limits, int block, double second, List<Answer> answers);

        /** A block is over. */
        void over(Block block);
    }

    /** On a machine that stands still for a while, time enough for those that are still out, in seconds. */
    private static final double STRAGGLERS = 10;

    private final Site site;
    private final Traffic traffic;
    private final Phases phases;
    private final int pairs;

    Course(Site site, Phases phases, int pairs) {
        this.site = site;
        this.traffic = new Traffic(site.url());
        this.phases = phases;
        this.pairs = pairs;
    }

    /** Blocks that there will be. */
    int blocks() {
        return pairs * Limits.values().length;
    }

    /** Plays all of it. */
    List<Block> play(Listener listener) throws IOException, InterruptedException {
        List<Block> blocks = new ArrayList<>();
        List<Limits> order = new ArrayList<>(List.of(Limits.values()));
        for (int pair = 0; pair < pairs; pair++) {
            List<Arrival> arrivals = Arrival.of(phases, pair);
            for (Limits limits : order) {
                Block block = play(limits, arrivals, blocks.size() + 1, listener);
                blocks.add(block);
                listener.over(block);
            }
            Collections.reverse(order);
        }
        return blocks;
    }

    private Block play(Limits limits, List<Arrival> arrivals, int number, Listener listener)
            throws IOException, InterruptedException {
        site.switchTo(limits);
        long callsBefore = site.callsDone();
        long marksBefore = site.marks();
        List<Answer> answers = Collections.synchronizedList(new ArrayList<>());
        long t0 = System.nanoTime() + LEAD_NANOS;
        Thread sender = sender(arrivals, t0, answers::add);
        try {
            double now = 0;
            while (now < phases.end() || (answers.size() < arrivals.size() && now < phases.end() + STRAGGLERS)) {
                listener.tick(limits, number, now, snapshot(answers));
                Thread.sleep(STEP_MILLIS);
                now = (System.nanoTime() - t0) / 1e9;
            }
        } finally {
            sender.interrupt();
        }
        if (answers.size() < arrivals.size()) {
            throw new IOException((arrivals.size() - answers.size()) + " requests never ended");
        }
        long calls = site.callsDone() - callsBefore;
        return new Block(limits, phases, snapshot(answers), calls, site.marks() - marksBefore);
    }

    private Thread sender(List<Arrival> arrivals, long t0, Consumer<Answer> answers) {
        Thread sender = new Thread(
                () -> {
                    try {
                        traffic.send(arrivals, t0, answers);
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                    }
                },
                "traffic");
        sender.start();
        return sender;
    }

    private static List<Answer> snapshot(List<Answer> answers) {
        synchronized (answers) {
            return List.copyOf(answers);
        }
    }
}

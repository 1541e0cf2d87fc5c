// SPDX-License-Identifier: Apache-2.0
package io.aether.bench.dag;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

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

    private final Site site;
    private final Phases phases;
    private final int pairs;

    Course(Site site, Phases phases, int pairs) {
        this.site = site;
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
        Thread sender = new Thread(
                () -> {
                    try {
                        new Traffic(site.url()).send(arrivals, t0, answers::add);
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                    }
                },
                "traffic");
        sender.start();
        try {
            for (double now = 0; now < phases.end(); now = (System.nanoTime() - t0) / 1e9) {
                listener.tick(limits, number, now, snapshot(answers));
                Thread.sleep(STEP_MILLIS);
            }
        } finally {
            sender.interrupt();
        }
        if (answers.size() < arrivals.size()) {
            throw new IOException(
                    "%d of %d requests never ended".formatted(arrivals.size() - answers.size(), arrivals.size()));
        }
        return new Block(limits, phases, snapshot(answers), site.callsDone() - callsBefore, site.marks() - marksBefore);
    }

    private static List<Answer> snapshot(List<Answer> answers) {
        synchronized (answers) {
            return List.copyOf(answers);
        }
    }
}

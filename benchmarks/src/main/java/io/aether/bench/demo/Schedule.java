// SPDX-License-Identifier: Apache-2.0
package io.aether.bench.demo;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * When what happens, in seconds from the first request: a warm-up, then blocks of equal length, arm after arm and
 * round after round, every other round backwards: a machine that gets slower or faster meanwhile then treats the arms
 * alike. Every block meets the same faults at the same offsets. Incidents overlap: each fault begins when the one before
 * is halfway through, so two are active at most times.
 *
 * @param warmup length of the warm-up
 * @param blocks the blocks in their order
 * @param windows faults by offset from a block's start
 */
record Schedule(double warmup, List<Block> blocks, List<Window> windows) {

    /** At a block's start, not counted: the switch takes hold and what the arm before left behind drains. */
    static final double SETTLE = 3;

    /** At a block's end, without a fault, so that nothing of this block reaches the next. */
    private static final double DRAIN = 5;

    private static final double WARMUP = 20;

    /** A block longer than this gives way to one more round; faults need the time, without them arms alternate faster. */
    private static final double LONGEST_BLOCK = 70;

    /** A shared machine is slower for half a minute, and faster for the next: shorter blocks let the arms share both. */
    private static final double LONGEST_QUIET_BLOCK = 13;

    /** How long a fault is active, in slots; one begins with every slot. */
    private static final double ACTIVE = 1.9;

    record Block(Arm arm, double start, double length) {

        double end() {
            return start + length;
        }

        boolean counts(double second) {
            return second >= start + SETTLE && second < end();
        }
    }

    record Window(Fault fault, double start, double end) {}

    Schedule {
        blocks = List.copyOf(blocks);
        windows = List.copyOf(windows);
    }

    static Schedule of(List<Arm> arms, Set<Fault> faults, double seconds) {
        double longest = faults.isEmpty() ? LONGEST_QUIET_BLOCK : LONGEST_BLOCK;
        int rounds = (int) Math.max(2, Math.ceil(seconds / (arms.size() * longest)));
        double length = seconds / (rounds * arms.size());
        List<Block> blocks = new ArrayList<>();
        List<Arm> order = new ArrayList<>(arms);
        for (int i = 0; i < rounds * arms.size(); i++) {
            blocks.add(new Block(order.get(i % order.size()), WARMUP + i * length, length));
            if ((i + 1) % order.size() == 0) {
                Collections.reverse(order);
            }
        }
        return new Schedule(WARMUP, blocks, windows(faults, length));
    }

    /** Load alone, for {@code seconds}: what is switched meanwhile is somebody's choice. */
    static Schedule unplanned(Arm arm, double seconds) {
        return new Schedule(0, List.of(new Block(arm, 0, seconds)), List.of());
    }

    private static List<Window> windows(Set<Fault> faults, double block) {
        SortedSet<Fault> ordered = new TreeSet<>(faults);
        double margin = Math.min(1, block / 30);
        double slot = (block - (SETTLE + DRAIN) * margin) / (ordered.size() - 1 + ACTIVE);
        List<Window> windows = new ArrayList<>();
        double start = SETTLE * margin;
        for (Fault fault : ordered) {
            windows.add(new Window(fault, start, start + slot * ACTIVE));
            start += slot;
        }
        return windows;
    }

    /** The block of that second, the last one after the end; null during the warm-up. */
    @Nullable
    Block block(double second) {
        Block found = null;
        for (Block block : blocks) {
            found = second >= block.start() ? block : found;
        }
        return found;
    }

    double end() {
        return blocks.get(blocks.size() - 1).end();
    }
}

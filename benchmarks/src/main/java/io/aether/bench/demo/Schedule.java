// SPDX-License-Identifier: Apache-2.0
package io.aether.bench.demo;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * When what happens, in seconds from the first request: a warm-up, then blocks of equal length, arm after arm and
 * round after round. Every block meets the same faults at the same offsets, one after the other.
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

    /** A block longer than this gives way to one more round. */
    private static final double LONGEST_BLOCK = 70;

    /** Part of its slot during which a fault is active; the rest is for recovery. */
    private static final double ACTIVE = 0.8;

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
        int rounds = (int) Math.max(2, Math.ceil(seconds / (arms.size() * LONGEST_BLOCK)));
        double length = seconds / (rounds * arms.size());
        List<Block> blocks = new ArrayList<>();
        for (int i = 0; i < rounds * arms.size(); i++) {
            blocks.add(new Block(arms.get(i % arms.size()), WARMUP + i * length, length));
        }
        return new Schedule(WARMUP, blocks, windows(faults, length));
    }

    private static List<Window> windows(Set<Fault> faults, double block) {
        SortedSet<Fault> ordered = new TreeSet<>(faults);
        double margin = Math.min(1, block / 30);
        double slot = (block - (SETTLE + DRAIN) * margin) / Math.max(1, ordered.size());
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

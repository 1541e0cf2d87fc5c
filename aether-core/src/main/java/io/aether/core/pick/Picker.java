// SPDX-License-Identifier: Apache-2.0
package io.aether.core.pick;

import io.aether.core.Dice;
import org.jspecify.annotations.Nullable;

/**
 * One pick: draw distinct candidates, judge them, take the best class's cheapest. What it writes is
 * in the scratch it is given, but for the kernel's view that an instance remembers.
 */
final class Picker {
    /** Draws before giving up on finding a candidate that is neither ejected nor degraded, as Finagle's maxEffort. */
    private static final int ROUNDS = 4;

    /** Candidates of other zones in a pick that stays in its own: for when all there are out, or have more than they should. */
    static final int FAR = 2;
    /** More than any latencies differ by: between zones only classes count. */
    static final double OTHER_ZONE = 1e9;

    private final int maxCandidates;
    private final double tieRatio;
    private final Shared shared;
    private final Judge judge;
    private final Dice dice;

    Picker(PickSettings settings, Shared shared, Judge judge, Dice dice) {
        this.maxCandidates = settings.maxCandidates();
        this.tieRatio = settings.tieRatio();
        this.shared = shared;
        this.judge = judge;
        this.dice = dice;
    }

    /** Returns the place of the chosen one among the scratch's candidates; {@code all} is not empty. */
    int pick(Instance[] all, Signals signals, @Nullable Instance exclude, long now, Scratch scratch) {
        int best = InstanceClass.values().length;
        int near = shared.near;
        boolean zones = near > 0 && near < all.length;
        int wanted = Math.min(maxCandidates, all.length);
        for (int round = 0; round < ROUNDS; round++) {
            if (zones) {
                boolean leaves = round == 0 && exclude == null && dice.below(Zones.UNITS) < shared.zones.units();
                drawByZone(all, near, leaves, exclude, scratch);
            } else {
                draw(all, wanted, exclude, scratch);
            }
            best = judge(all, signals, now, scratch);
            if (best < InstanceClass.DEGRADED.rank || scratch.count >= all.length) {
                break;
            }
        }
        return cheapest(all, best, scratch);
    }

    /** Draws distinct candidates: all from a random start, or some by Floyd's algorithm; one more to leave one out. */
    private void draw(Instance[] all, int wanted, @Nullable Instance exclude, Scratch scratch) {
        int size = Math.min(all.length, exclude == null ? wanted : wanted + 1);
        int[] indices = scratch.indices;
        if (size == all.length) {
            rotate(indices, size, dice.below(size));
        } else {
            sample(indices, size, all.length);
        }
        scratch.count = exclude == null || size == 1 ? size : leaveOut(all, exclude, indices, size);
    }

    /** Candidates of the callers' zone, and two of others; or of the others alone. */
    private void drawByZone(Instance[] all, int near, boolean leaves, @Nullable Instance exclude, Scratch scratch) {
        int[] indices = scratch.indices;
        int more = exclude == null ? 0 : 1;
        int elsewhere = all.length - near;
        int far = Math.min(leaves ? maxCandidates : FAR, elsewhere);
        int here = leaves ? 0 : Math.min(maxCandidates + more, near);
        sample(indices, far, elsewhere);
        for (int i = far - 1; i >= 0; i--) {
            indices[here + i] = indices[i] + near;
        }
        sample(indices, here, near);
        int size = here + far;
        scratch.count = exclude == null || size == 1 ? size : leaveOut(all, exclude, indices, size);
    }

    private static void rotate(int[] indices, int size, int start) {
        for (int i = 0; i < size; i++) {
            indices[i] = start + i < size ? start + i : start + i - size;
        }
    }

    /** One throw of the dice, stretched by Knuth's congruential generator: a throw per candidate is a third of a pick. */
    private void sample(int[] indices, int size, int of) {
        long random = dice.below(1 << 30);
        for (int i = 0; i < size; i++) {
            random = random * 6364136223846793005L + 1442695040888963407L;
            int last = of - size + i;
            int index = (int) (((random >>> 33) * (last + 1)) >>> 31);
            indices[i] = contains(indices, i, index) ? last : index;
        }
    }

    private static int leaveOut(Instance[] all, Instance exclude, int[] indices, int size) {
        for (int i = 0; i < size; i++) {
            if (all[indices[i]] == exclude) {
                indices[i] = indices[size - 1];
                return size - 1;
            }
        }
        return size;
    }

    private static boolean contains(int[] indices, int count, int index) {
        for (int i = 0; i < count; i++) {
            if (indices[i] == index) {
                return true;
            }
        }
        return false;
    }

    /** Judges all candidates and returns the best class among them. */
    private int judge(Instance[] all, Signals signals, long now, Scratch scratch) {
        int best = Integer.MAX_VALUE;
        Norms norms = shared.norms;
        for (int i = 0; i < scratch.count; i++) {
            Instance candidate = all[scratch.indices[i]];
            Sight sight = judge.sight(candidate, signals, now, scratch.health);
            int ordinal = judge.classOf(candidate, sight, norms, now);
            scratch.classes[i] = ordinal;
            double cost = judge.cost(candidate, sight, norms, now);
            scratch.costs[i] = candidate.far ? cost * OTHER_ZONE : cost;
            best = Math.min(best, ordinal);
        }
        return best;
    }

    /**
     * The cheapest of a class. All within {@code tieRatio} of it are as good, and the one is taken whose last request is
     * longest ago: among equals that is round robin, which spreads evenly what chance would not. Candidates come in random
     * order, which decides among those never used.
     */
    private int cheapest(Instance[] all, int best, Scratch scratch) {
        double least = Double.MAX_VALUE;
        for (int i = 0; i < scratch.count; i++) {
            if (scratch.classes[i] == best) {
                least = Math.min(least, scratch.costs[i]);
            }
        }
        double limit = least * tieRatio;
        int chosen = 0;
        long earliest = 0;
        boolean first = true;
        for (int i = 0; i < scratch.count; i++) {
            if (scratch.classes[i] == best && scratch.costs[i] <= limit) {
                long start = all[scratch.indices[i]].lastStart();
                if (first || start - earliest < 0) {
                    first = false;
                    earliest = start;
                    chosen = i;
                }
            }
        }
        return chosen;
    }
}

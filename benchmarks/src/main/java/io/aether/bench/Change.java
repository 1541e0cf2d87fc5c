// SPDX-License-Identifier: Apache-2.0
package io.aether.bench;

import java.util.List;

/**
 * What something changes, from the differences within pairs that were measured next to each other: the median of these, which
 * lies, with the confidence of 95 %, between two of their order statistics. That holds however the machine's noise is
 * distributed (the sign test's interval).
 *
 * @param low the interval's lower end; with fewer than six pairs the interval is less sure than it should be
 */
public record Change(double median, double low, double high) {
    /** Chance that the median lies below the interval, and that it lies above. */
    private static final double MISSED = 0.025;

    /**
     * The change that pairs show.
     *
     * @param differences one of each pair, in any order; at least one
     */
    public static Change of(List<Double> differences) {
        List<Double> sorted = differences.stream().sorted().toList();
        int outside = outside(sorted.size());
        return new Change(median(sorted), sorted.get(outside), sorted.get(sorted.size() - 1 - outside));
    }

    /** The middle of at least one value, in any order; between the two in the middle of an even number. */
    public static double median(List<Double> values) {
        List<Double> sorted = values.stream().sorted().toList();
        int middle = sorted.size() / 2;
        return sorted.size() % 2 == 1 ? sorted.get(middle) : (sorted.get(middle - 1) + sorted.get(middle)) / 2;
    }

    /** How many of the least, and of the greatest, of n values can be left out of the interval. */
    private static int outside(int n) {
        double probability = Math.pow(0.5, n);
        double below = probability;
        int count = 0;
        while (below <= MISSED) {
            count++;
            probability *= (double) (n - count + 1) / count;
            below += probability;
        }
        return Math.max(0, count - 1);
    }
}

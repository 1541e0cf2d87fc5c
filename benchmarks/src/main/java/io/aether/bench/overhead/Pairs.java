// SPDX-License-Identifier: Apache-2.0
package io.aether.bench.overhead;

import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * The same load without and with the agent, turn beside turn. What the agent changes is the median over the pairs, and
 * lies, with the confidence of 95 %, between two of their order statistics: that holds however the machine's noise is
 * distributed (the sign test's interval). Not thread-safe.
 */
final class Pairs {
    /** Chance that the median lies below the interval, and that it lies above. */
    private static final double MISSED = 0.025;

    private final List<Load.Result> without = new ArrayList<>();
    private final List<Load.Result> with = new ArrayList<>();

    /**
     * A change, in %.
     *
     * @param low the interval's lower end; with fewer than six pairs the interval is less sure than it should be
     */
    record Change(double median, double low, double high) {}

    void add(Load.Result without, Load.Result with) {
        this.without.add(without);
        this.with.add(with);
    }

    int count() {
        return with.size();
    }

    /** Requests per second, median of the turns. */
    double perSecond(boolean agent) {
        return median(sorted(agent ? with : without, Load.Result::perSecond));
    }

    /** 99th percentile, us, median of the turns. */
    double p99(boolean agent) {
        return median(sorted(agent ? with : without, Load.Result::p99Micros));
    }

    Change perSecondChange() {
        return change(Load.Result::perSecond);
    }

    Change p99Change() {
        return change(Load.Result::p99Micros);
    }

    private Change change(ToDoubleFunction<Load.Result> figure) {
        List<Double> changes = new ArrayList<>();
        for (int i = 0; i < with.size(); i++) {
            double before = figure.applyAsDouble(without.get(i));
            changes.add(100 * (figure.applyAsDouble(with.get(i)) - before) / before);
        }
        List<Double> sorted = changes.stream().sorted().toList();
        int outside = outside(sorted.size());
        return new Change(median(sorted), sorted.get(outside), sorted.get(sorted.size() - 1 - outside));
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

    private static List<Double> sorted(List<Load.Result> turns, ToDoubleFunction<Load.Result> figure) {
        return turns.stream().map(figure::applyAsDouble).sorted().toList();
    }

    private static double median(List<Double> sorted) {
        int middle = sorted.size() / 2;
        return sorted.size() % 2 == 1 ? sorted.get(middle) : (sorted.get(middle - 1) + sorted.get(middle)) / 2;
    }
}

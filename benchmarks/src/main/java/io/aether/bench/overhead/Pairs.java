// SPDX-License-Identifier: Apache-2.0
package io.aether.bench.overhead;

import java.util.ArrayList;
import java.util.List;

/** The same load without and with the agent, turn by turn. The difference is the median over the pairs. Not thread-safe. */
final class Pairs {
    private final List<Load.Result> without = new ArrayList<>();
    private final List<Load.Result> with = new ArrayList<>();

    void add(boolean agent, Load.Result result) {
        (agent ? with : without).add(result);
    }

    /** Requests per second, median of the turns. */
    double perSecond(boolean agent) {
        return median(
                (agent ? with : without).stream().map(Load.Result::perSecond).toList());
    }

    /** 99th percentile, us, median of the turns. */
    double p99(boolean agent) {
        return median(
                (agent ? with : without).stream().map(Load.Result::p99Micros).toList());
    }

    /** Change of the throughput by the agent, %. */
    double perSecondChange() {
        List<Double> changes = new ArrayList<>();
        for (int i = 0; i < with.size(); i++) {
            changes.add(change(without.get(i).perSecond(), with.get(i).perSecond()));
        }
        return median(changes);
    }

    /** Change of the 99th percentile by the agent, %. */
    double p99Change() {
        List<Double> changes = new ArrayList<>();
        for (int i = 0; i < with.size(); i++) {
            changes.add(change(without.get(i).p99Micros(), with.get(i).p99Micros()));
        }
        return median(changes);
    }

    private static double change(double before, double after) {
        return 100 * (after - before) / before;
    }

    private static double median(List<Double> values) {
        List<Double> sorted = values.stream().sorted().toList();
        int middle = sorted.size() / 2;
        return sorted.size() % 2 == 1 ? sorted.get(middle) : (sorted.get(middle - 1) + sorted.get(middle)) / 2;
    }
}

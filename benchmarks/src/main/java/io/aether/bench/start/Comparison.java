// SPDX-License-Identifier: Apache-2.0
package io.aether.bench.start;

import io.aether.bench.Change;
import io.aether.bench.Report;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;

/** Starts of one application with and without the starter, next to each other. Not thread-safe. */
final class Comparison {
    private final List<Figures> with = new ArrayList<>();
    private final List<Figures> without = new ArrayList<>();

    /** Adds two starts, of which one followed the other. */
    void add(Figures with, Figures without) {
        this.with.add(with);
        this.without.add(without);
    }

    /** Rows with the medians of both, and of the difference within pairs with its interval. */
    void addTo(Report report, String label) {
        add(report, label + " start", "ms", Figures::start);
        add(report, label + " cpu", "ms", Figures::cpu);
        add(report, label + " call", "ms", Figures::call);
        add(report, label + " memory", "MB", Figures::memory);
        add(report, label + " heap", "MB", Figures::heap);
        add(report, label + " metaspace", "MB", Figures::metaspace);
        add(report, label + " resident", "MB", Figures::resident);
        add(report, label + " classes", "", Figures::classes);
        report.add(label + " pairs", with.size(), "");
    }

    private void add(Report report, String row, String unit, ToDoubleFunction<Figures> figure) {
        List<Double> costs = new ArrayList<>();
        for (int i = 0; i < with.size(); i++) {
            costs.add(figure.applyAsDouble(with.get(i)) - figure.applyAsDouble(without.get(i)));
        }
        Change cost = Change.of(costs);
        report.add(row + " with", median(with, figure), unit);
        report.add(row + " without", median(without, figure), unit);
        report.add(row + " cost", cost.median(), unit);
        report.add(row + " cost from", cost.low(), unit);
        report.add(row + " cost to", cost.high(), unit);
    }

    private static double median(List<Figures> starts, ToDoubleFunction<Figures> figure) {
        return Change.median(starts.stream().map(figure::applyAsDouble).toList());
    }
}

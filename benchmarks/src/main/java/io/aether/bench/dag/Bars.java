// SPDX-License-Identifier: Apache-2.0
package io.aether.bench.dag;

import io.aether.bench.Report;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The figures as rows, and what they should come to. */
final class Bars {

    private static final double INNOCENCE = 0.98;
    private static final double CRITICAL = 0.99;
    private static final double LESS_WASTE = 5;
    /** Of the capacity, what bulk gets whatever the others want. */
    private static final double FLOOR = 0.02;

    private final Figures off;
    private final Figures on;
    private final List<String> misses = new ArrayList<>();
    private int checks;

    Bars(List<Block> blocks) {
        this.off = new Figures(blocks, Limits.OFF);
        this.on = new Figures(blocks, Limits.ON);
    }

    /** Adds a row for each figure. */
    void addTo(Report report) {
        for (Limits limits : Limits.values()) {
            Figures figures = limits == Limits.ON ? on : off;
            for (Flow flow : Flow.values()) {
                String row = flow.label() + " " + limits.label();
                report.add("calm " + row, figures.calm(flow), "of its requests");
                report.add("goodput " + row, figures.overload(flow), "of its requests");
                report.add("refused " + row, 100 * figures.refused(flow), "% of its requests");
                report.add("p50 " + row, figures.millis(flow, true, 50), "ms");
                report.add("p99 " + row, figures.millis(flow, true, 99), "ms");
            }
            report.add("inventory " + limits.label(), figures.used(), "of capacity");
            report.add("calls " + limits.label(), (double) figures.calls(), "");
            report.add("marked " + limits.label(), (double) figures.marks(), "segments");
            report.add("wasted " + limits.label(), (double) figures.wasted(), "calls");
        }
        for (Flow flow : Flow.innocent()) {
            report.add("innocence " + flow.label(), innocence(flow), "of its goodput before");
        }
        report.add("less wasted", lessWasted(), "times");
    }

    private double innocence(Flow flow) {
        return on.overload(flow) / on.calm(flow);
    }

    private double lessWasted() {
        return (double) off.wasted() / Math.max(1, on.wasted());
    }

    /** Prints which bars are missed. */
    void print(PrintStream out) {
        for (Flow flow : Flow.innocent()) {
            atLeast("innocence " + flow.label(), innocence(flow), INNOCENCE);
        }
        atLeast("less wasted", lessWasted(), LESS_WASTE);
        atLeast("goodput " + Flow.CHECKOUT.label() + " on", on.overload(Flow.CHECKOUT), CRITICAL);
        atLeast("floor of " + Flow.STOCK.label(), on.rate(Flow.STOCK) / Flow.CAPACITY, FLOOR);
        out.printf("%n%d bars, %d missed%n", checks, misses.size());
        misses.forEach(out::println);
    }

    private void atLeast(String what, double value, double bar) {
        checks++;
        if (!(value >= bar)) {
            misses.add(String.format(Locale.ROOT, "  missed, %s: %.3f, bar %.2f", what, value, bar));
        }
    }
}

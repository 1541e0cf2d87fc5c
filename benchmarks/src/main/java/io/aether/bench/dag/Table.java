// SPDX-License-Identifier: Apache-2.0
package io.aether.bench.dag;

import java.util.List;
import java.util.Locale;

/** The figures as text for a terminal. */
final class Table {

    private static final double PERCENT = 100;

    private Table() {}

    static String of(List<Block> blocks) {
        StringBuilder text = new StringBuilder();
        line(
                text,
                "%-18s %-9s %-8s %10s %10s %10s %9s %9s",
                "branch",
                "priority",
                "limiter",
                "before",
                "overload",
                "refused",
                "P50 ms",
                "P99 ms");
        for (Flow flow : Flow.values()) {
            for (Limits limits : Limits.values()) {
                Figures figures = new Figures(blocks, limits);
                line(
                        text,
                        "%-18s %-9s %-8s %9.1f%% %9.1f%% %9.1f%% %9.0f %9.0f",
                        limits == Limits.OFF ? flow.label() : "",
                        limits == Limits.OFF ? flow.priority() : "",
                        limits.label(),
                        PERCENT * figures.calm(flow),
                        PERCENT * figures.overload(flow),
                        PERCENT * figures.refused(flow),
                        figures.millis(flow, true, 50),
                        figures.millis(flow, true, 99));
            }
        }
        line(text, "");
        line(text, "%-28s %12s %12s %12s", "limiter", "inventory", "calls", "wasted");
        for (Limits limits : Limits.values()) {
            Figures figures = new Figures(blocks, limits);
            line(
                    text,
                    "%-28s %11.1f%% %12d %12d",
                    limits.label(),
                    PERCENT * figures.used(),
                    figures.calls(),
                    figures.wasted());
        }
        line(text, "");
        line(
                text,
                "before, overload: requests answered within %.0f ms of their intended start, of all that were meant",
                Flow.OBJECTIVE_MILLIS);
        line(text, "inventory: of its capacity, what went to requests that succeeded; wasted: calls done for others");
        return text.toString();
    }

    @SuppressWarnings("AnnotateFormatMethod") // the annotation would be a dependency for one method
    private static void line(StringBuilder text, String format, Object... values) {
        text.append(String.format(Locale.ROOT, format, values).stripTrailing()).append('\n');
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.aether.bench.overload;

import io.aether.bench.Report;
import java.util.Comparator;
import java.util.List;

/** The figures of all bouts. */
final class Rows {
    private static final Comparator<Bout> ORDER = Comparator.comparing(Bout::mix)
            .thenComparing(Bout::costly)
            .thenComparingInt(Bout::clients)
            .thenComparingDouble(Bout::factor)
            .thenComparing(Bout::policy);

    private Rows() {}

    static void add(Report report, List<Played> all) {
        for (Played played : sorted(all)) {
            Outcome outcome = played.outcome();
            String row = played.bout().row();
            report.add("goodput " + row, outcome.goodput(), "of capacity");
            report.add("p99 " + row, outcome.p99Millis(), "ms");
            report.add("refused " + row, 100 * outcome.refused(), "% of capacity");
            report.add("jain " + row, outcome.jain(), "");
            report.add("back " + row, outcome.backInTimeSeconds(), "s");
            report.add("full " + row, outcome.fullDemandSeconds(), "s");
            report.add("worst " + row, outcome.worstClient(), "of its due");
        }
        report.add(
                "machine busy",
                100 * all.stream().mapToDouble(Played::busy).max().orElse(0),
                "% at most");
        report.add(
                "generator late",
                all.stream().mapToDouble(Played::lateMillis).max().orElse(0),
                "ms at P99 at most");
    }

    /** By what they are. */
    static List<Played> sorted(List<Played> all) {
        return all.stream().sorted(Comparator.comparing(Played::bout, ORDER)).toList();
    }
}

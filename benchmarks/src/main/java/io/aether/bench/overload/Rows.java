// SPDX-License-Identifier: Apache-2.0
package io.aether.bench.overload;

import io.aether.bench.Report;
import java.util.Comparator;
import java.util.List;

/** The figures of all rows: medians where a row has several draws, and then the worst beside them. */
final class Rows {
    private static final Comparator<Bout> ORDER = Comparator.comparing(Bout::mix)
            .thenComparing(Bout::costly)
            .thenComparingInt(Bout::clients)
            .thenComparingDouble(Bout::factor)
            .thenComparing(Bout::policy);

    private Rows() {}

    static void add(Report report, List<Played> all) {
        for (Draws draws : Draws.of(sorted(all))) {
            String row = draws.bout().row();
            report.add("goodput " + row, draws.median(Outcome::goodput), "of capacity");
            report.add("p99 " + row, draws.median(Outcome::p99Millis), "ms");
            report.add("refused " + row, 100 * draws.median(Outcome::refused), "% of capacity");
            report.add("jain " + row, draws.median(Outcome::jain), "");
            report.add("back " + row, draws.median(Outcome::backInTimeSeconds), "s");
            report.add("full " + row, draws.median(Outcome::fullDemandSeconds), "s");
            report.add("worst " + row, draws.median(Outcome::worstClient), "of its due");
            if (draws.count() > 1) {
                report.add("least-goodput " + row, draws.least(Outcome::goodput), "of capacity");
                report.add("most-refused " + row, 100 * draws.most(Outcome::refused), "% of capacity");
                report.add("least-worst " + row, draws.least(Outcome::worstClient), "of its due");
            }
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

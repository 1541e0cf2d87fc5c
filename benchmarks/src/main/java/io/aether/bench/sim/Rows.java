// SPDX-License-Identifier: Apache-2.0
package io.aether.bench.sim;

import io.aether.bench.Report;
import java.io.PrintStream;
import java.util.Locale;
import java.util.Map;

/** One scenario's figures: a table for people, and rows {@code SCENARIO POLICY p99} and so on for machines. */
final class Rows {
    private Rows() {}

    static void print(Scenario scenario, Map<Arm, Tally> tallies, PrintStream out) {
        out.printf(
                Locale.ROOT,
                "%n%-34s %9s %9s %9s %9s %8s %7s %7s%n",
                scenario.name(),
                "p50 ms",
                "p90 ms",
                "p99 ms",
                "p999 ms",
                "errors",
                "share",
                "herd");
        tallies.forEach((arm, tally) -> out.printf(
                Locale.ROOT,
                "  %-32s %9.2f %9.2f %9.2f %9.2f %7.2f%% %6.1f%% %7.2f%n",
                arm.label(),
                tally.millis(50),
                tally.millis(90),
                tally.millis(99),
                tally.millis(99.9),
                tally.errorPercent(),
                100 * share(scenario, tally),
                tally.herd()));
        out.flush();
    }

    static void report(Scenario scenario, Map<Arm, Tally> tallies, Report report) {
        tallies.forEach((arm, tally) -> {
            String name = scenario.name() + ' ' + arm.label() + ' ';
            report.add(name + "p50", tally.millis(50), "ms");
            report.add(name + "p90", tally.millis(90), "ms");
            report.add(name + "p99", tally.millis(99), "ms");
            report.add(name + "p999", tally.millis(99.9), "ms");
            report.add(name + "errors", tally.errorPercent(), "%");
            report.add(name + "share", 100 * share(scenario, tally), "%");
            report.add(name + "herd", tally.herd(), "ratio");
        });
    }

    /** Of the affected servers; in a healthy fleet of the one with the most. */
    private static double share(Scenario scenario, Tally tally) {
        if (scenario.affected() > 0) {
            return tally.share(0, scenario.affected());
        }
        double most = 0;
        for (int i = 0; i < tally.received().length; i++) {
            most = Math.max(most, tally.share(i, i + 1));
        }
        return most;
    }
}

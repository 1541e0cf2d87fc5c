// SPDX-License-Identifier: Apache-2.0
package io.aether.bench.sim;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;

/**
 * Whether the default earns its place: P99 within 5 % of the best policy, best or tied (within 1 %) in two thirds of the
 * scenarios, never more than 3 % worse than round robin in a healthy fleet, errors never more than 0.1 points above
 * the best peer's. Our arms are one policy with less and more to go by, and compared with peers, not with each other.
 */
final class Verdict {
    private static final double CLOSE = 1.05;
    private static final double TIED = 1.01;
    private static final double HARMLESS = 1.03;
    private static final double ERROR_POINTS = 0.1;

    private final Map<Arm, Integer> best = new EnumMap<>(Arm.class);
    private final Map<Arm, Integer> close = new EnumMap<>(Arm.class);
    private final List<String> misses = new ArrayList<>();
    private int scenarios;

    void add(Scenario scenario, Map<Arm, Tally> tallies) {
        scenarios++;
        double peers = least(tallies, false);
        double all = Math.min(peers, least(tallies, true));
        double fewest =
                tallies.values().stream().mapToDouble(Tally::errorPercent).min().orElse(0);
        tallies.forEach((arm, tally) -> {
            double ratio = tally.millis(99) / (arm.ours() ? Math.min(peers, tally.millis(99)) : all);
            count(best, arm, ratio <= TIED);
            count(close, arm, ratio <= CLOSE);
            if (arm.ours()) {
                miss(ratio > CLOSE, scenario, arm, "P99 against the best policy", ratio);
                miss(tally.errorPercent() > fewest + ERROR_POINTS, scenario, arm, "errors, %", tally.errorPercent());
                if (scenario.healthy()) {
                    against(scenario, arm, tally, Objects.requireNonNull(tallies.get(Arm.ROUND_ROBIN)));
                }
            }
        });
    }

    private static double least(Map<Arm, Tally> tallies, boolean ours) {
        return tallies.entrySet().stream()
                .filter(each -> each.getKey().ours() == ours)
                .mapToDouble(each -> each.getValue().millis(99))
                .min()
                .orElse(0);
    }

    private void against(Scenario scenario, Arm arm, Tally tally, Tally roundRobin) {
        for (double percentile : new double[] {50, 90, 99, 99.9}) {
            double ratio = tally.millis(percentile) / roundRobin.millis(percentile);
            miss(ratio > HARMLESS, scenario, arm, "P" + percentile + " against round robin", ratio);
        }
    }

    private static void count(Map<Arm, Integer> map, Arm arm, boolean yes) {
        map.merge(arm, yes ? 1 : 0, Integer::sum);
    }

    private void miss(boolean missed, Scenario scenario, Arm arm, String what, double value) {
        if (missed) {
            misses.add(String.format(Locale.ROOT, "  %s %s: %s %.2f", scenario.name(), arm.label(), what, value));
        }
    }

    void print(PrintStream out) {
        out.printf("%nP99 of %d scenarios: best or tied, within 5 %% of the best%n", scenarios);
        best.forEach((arm, count) -> out.printf("  %-20s %4d %4d%n", arm.label(), count, close.get(arm)));
        out.println(misses.isEmpty() ? "\nno misses" : "\nmisses");
        misses.forEach(out::println);
    }
}

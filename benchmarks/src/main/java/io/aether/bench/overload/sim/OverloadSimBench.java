// SPDX-License-Identifier: Apache-2.0
package io.aether.bench.overload.sim;

import io.aether.bench.BenchOptions;
import io.aether.bench.Report;
import io.aether.bench.overload.Mix;
import io.aether.bench.overload.Outcome;
import io.aether.core.limit.Priority;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;
import java.util.stream.LongStream;

/**
 * Prints what the limiter comes to in virtual time, beside no limiter: means of the seeds for goodput and refusals, because a
 * run's own capacity differs by 1.2 % from what its service times are drawn from, and the worst seed for all else.
 */
public final class OverloadSimBench {
    private static final double[] FACTORS = {1.2, 2, 4, 10};
    private static final int[] CLIENTS = {20, 100};
    private static final List<Policy> POLICIES =
            List.of(Policy.NONE, Policy.SHED, Policy.AETHER, Policy.AETHER_BLEACHED, Policy.AETHER_HEADER);
    private static final int SEEDS = 5;

    private OverloadSimBench() {}

    public static void main(String[] args) throws Exception {
        BenchOptions options = BenchOptions.parse("overload-sim", args);
        Report report = new Report("overload-sim");
        for (Policy policy : POLICIES) {
            for (int clients : CLIENTS) {
                for (double factor : FACTORS) {
                    add(report, policy, clients, factor, options.quick() ? 1 : SEEDS);
                }
            }
        }
        skewed(report, options.quick() ? 1 : SEEDS);
        tiers(report, options.quick() ? 1 : SEEDS);
        options.show(report);
    }

    private static void add(Report report, Policy policy, int clients, double factor, int seeds) {
        Trial trial = Trial.of(policy, clients, factor, 0);
        List<Outcome> free = run(trial, seeds);
        List<Outcome> costly = run(trial.withCostlyRefusals(), seeds);
        String row = String.format(Locale.ROOT, "%.1fx %d %s", factor, clients, policy.name());
        report.add("goodput " + row, mean(free, Outcome::goodput), "of capacity");
        report.add("goodput costly " + row, mean(costly, Outcome::goodput), "of capacity");
        report.add("p99 " + row, most(free, Outcome::p99Millis), "ms");
        report.add("refused " + row, 100 * mean(free, Outcome::refused), "% of capacity");
        report.add("refused worst " + row, 100 * most(free, Outcome::refused), "% of capacity");
        report.add("jain " + row, least(free, Outcome::jain), "");
        report.add("back " + row, most(free, Outcome::backInTimeSeconds), "s");
        report.add("full " + row, most(free, Outcome::fullDemandSeconds), "s");
    }

    /** Half of the clients want ten times what the others want. */
    private static void skewed(Report report, int seeds) {
        for (double factor : FACTORS) {
            List<Outcome> outcomes = run(Trial.of(Policy.AETHER, 20, factor, 0).with(Mix.SKEWED), seeds);
            String row = String.format(Locale.ROOT, "worst skewed %.1fx 20 aether", factor);
            report.add(row, least(outcomes, Outcome::worstClient), "of its due");
        }
    }

    private static void tiers(Report report, int seeds) {
        List<Outcome> outcomes = run(Trial.of(Policy.AETHER, 20, 2, 0).with(Mix.TIERS), seeds);
        for (Priority tier : Priority.values()) {
            String row = "tier " + tier.name().toLowerCase(Locale.ROOT) + " 2.0x 20 aether";
            report.add(row, mean(outcomes, outcome -> outcome.tiers().getOrDefault(tier, 0.0)), "of its demand");
        }
    }

    private static List<Outcome> run(Trial trial, int seeds) {
        return LongStream.rangeClosed(1, seeds)
                .mapToObj(seed -> OverloadSim.run(new Trial(
                        trial.policy(), trial.clients(), trial.factor(), trial.refusalNanos(), trial.mix(), seed)))
                .toList();
    }

    private static double mean(List<Outcome> outcomes, ToDoubleFunction<Outcome> figure) {
        return outcomes.stream().mapToDouble(figure).average().orElse(Double.NaN);
    }

    private static double least(List<Outcome> outcomes, ToDoubleFunction<Outcome> figure) {
        return outcomes.stream().mapToDouble(figure).min().orElse(Double.NaN);
    }

    private static double most(List<Outcome> outcomes, ToDoubleFunction<Outcome> figure) {
        return outcomes.stream().mapToDouble(figure).max().orElse(Double.NaN);
    }
}

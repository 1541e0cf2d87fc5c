// SPDX-License-Identifier: Apache-2.0
package io.aether.bench.overload;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** What Aether should come to, and where it does not; and where the machine was too busy to tell. */
final class Bars {
    /** Two runs of the same differ by as much. */
    private static final double SAME = 0.01;

    private static final double MILLIS_PER_NANO = 1e-6;
    private static final double BUSY = 0.9;
    /** A tenth of the objective. */
    private static final double LATE_MILLIS = 20;

    private final List<Played> all;
    private final boolean ecn;
    private final List<String> misses = new ArrayList<>();
    private int checks;

    Bars(List<Played> all, boolean ecn) {
        this.all = Rows.sorted(all);
        this.ecn = ecn;
    }

    void print(PrintStream out) {
        Draws.of(all).stream()
                .filter(draws -> draws.bout().policy() == Policy.AETHER)
                .forEach(this::check);
        out.printf("%n%d bars, %d missed%n", checks, misses.size());
        misses.forEach(out::println);
        for (Played played : all) {
            if (played.busy() > BUSY || played.lateMillis() > LATE_MILLIS) {
                out.printf(
                        Locale.ROOT,
                        "  the machine may be the bottleneck in %s: %.0f %% busy, generator %.1f ms late at P99%n",
                        played.bout().row(),
                        100 * played.busy(),
                        played.lateMillis());
            }
        }
    }

    private void check(Draws draws) {
        Bout bout = draws.bout();
        if (bout.mix() == Mix.SKEWED) {
            atLeast("worst", bout, draws.median(Outcome::worstClient), 0.8);
            return;
        }
        atLeast("goodput", bout, draws.median(Outcome::goodput), ecn ? 0.95 : 0.90);
        if (bout.costly()) {
            rivals(draws.first());
        } else if (ecn) {
            boolean few = bout.clients() <= 20;
            atMost("p99", bout, draws.median(Outcome::p99Millis), Target.OBJECTIVE_NANOS * MILLIS_PER_NANO);
            atMost("refused", bout, 100 * draws.median(Outcome::refused), few ? 2 : 4);
            atLeast("jain", bout, draws.median(Outcome::jain), few ? 0.97 : 0.93);
            atMost("back", bout, draws.median(Outcome::backInTimeSeconds), 1);
            atMost("full", bout, draws.median(Outcome::fullDemandSeconds), 2);
        }
    }

    /** With refusals that cost, nobody may be better in goodput, nor as good with a lower P99, of those who met the same draw. */
    private void rivals(Played ours) {
        for (Policy rival : Policy.values()) {
            Optional<Played> theirs = rival == Policy.AETHER ? Optional.empty() : find(rival, ours.bout());
            if (theirs.isPresent()) {
                double more = theirs.get().outcome().goodput() - ours.outcome().goodput();
                boolean quicker =
                        theirs.get().outcome().p99Millis() < ours.outcome().p99Millis();
                String what = String.format(
                        Locale.ROOT,
                        "%s has goodput %.3f and P99 %.0f ms, aether %.3f and %.0f ms",
                        rival.label(),
                        theirs.get().outcome().goodput(),
                        theirs.get().outcome().p99Millis(),
                        ours.outcome().goodput(),
                        ours.outcome().p99Millis());
                check(!(more > SAME || (more > -SAME && quicker)), ours.bout(), what);
            }
        }
    }

    private Optional<Played> find(Policy policy, Bout like) {
        return all.stream()
                .filter(played -> played.bout()
                        .equals(new Bout(
                                policy,
                                like.clients(),
                                like.factor(),
                                like.costly(),
                                like.mix(),
                                like.seed(),
                                like.phases())))
                .findFirst();
    }

    private void atLeast(String what, Bout bout, double value, double bar) {
        check(value >= bar, bout, String.format(Locale.ROOT, "%s %.3f, bar %.2f", what, value, bar));
    }

    private void atMost(String what, Bout bout, double value, double bar) {
        check(value <= bar, bout, String.format(Locale.ROOT, "%s %.2f, bar %.0f", what, value, bar));
    }

    private void check(boolean holds, Bout bout, String what) {
        checks++;
        if (!holds) {
            misses.add("  missed, " + bout.row() + ": " + what);
        }
    }
}

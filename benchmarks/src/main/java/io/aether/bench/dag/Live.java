// SPDX-License-Identifier: Apache-2.0
package io.aether.bench.dag;

import io.aether.bench.Progress;
import java.util.List;
import java.util.Locale;

/** The live line of the overload demo: what each branch got within its time lately, a second. */
record Live(Progress progress, Phases phases, int blocks) implements Course.Listener {

    private static final double LATELY = 3;

    @Override
    public void tick(Limits limits, int block, double second, List<Answer> answers) {
        StringBuilder line = new StringBuilder(String.format(
                Locale.ROOT, "block %d/%d  limiter %-3s  %-8s", block, blocks, limits.label(), phase(second)));
        for (Flow flow : Flow.values()) {
            List<Answer> recent = answers.stream()
                    .filter(answer -> answer.flow() == flow)
                    .filter(answer -> finished(answer) > second - LATELY)
                    .toList();
            List<Answer> good = recent.stream().filter(Answer::good).toList();
            line.append(String.format(
                    Locale.ROOT,
                    "  %s %.0f/s %.0f ms",
                    flow.label(),
                    good.size() / LATELY,
                    good.stream().mapToDouble(Answer::millis).max().orElse(0)));
        }
        progress.update(line.toString());
    }

    private static double finished(Answer answer) {
        return answer.second() + answer.millis() / 1000;
    }

    private String phase(double second) {
        if (second < phases.step()) {
            return "calm";
        }
        return second < phases.stop() ? "overload" : "drains";
    }

    @Override
    public void over(Block block) {
        progress.line(String.format(
                Locale.ROOT,
                "limiter %s: %.0f %% of the checkouts in time under overload, %d of %d calls wasted",
                block.limits().label(),
                100 * new Figures(List.of(block), block.limits()).overload(Flow.CHECKOUT),
                block.wasted(),
                block.calls()));
    }
}

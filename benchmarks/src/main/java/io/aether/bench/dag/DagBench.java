// SPDX-License-Identifier: Apache-2.0
package io.aether.bench.dag;

import io.aether.bench.BenchOptions;
import io.aether.bench.Cleanup;
import io.aether.bench.ExitCode;
import io.aether.bench.PrerequisiteException;
import io.aether.bench.Progress;
import io.aether.bench.Report;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/** The checkout graph with the inventory at twice what it can serve, as processes over TCP: limiter off and on in turn. */
public final class DagBench {

    private static final Phases FULL = new Phases(10, 22);
    private static final Phases QUICK = new Phases(8, 14);
    private static final int PAIRS = 2;

    private DagBench() {}

    public static void main(String[] args) throws Exception {
        BenchOptions options = BenchOptions.parse("dag", args);
        System.exit(Room.run(
                DagBench.class, args, () -> ExitCode.of("dag", System.err, () -> run(options, System.err))));
    }

    private static void run(BenchOptions options, PrintStream err)
            throws IOException, PrerequisiteException, InterruptedException {
        Progress progress = new Progress(err, Boolean.getBoolean("aether.terminal"));
        try (Cleanup cleanup = new Cleanup(err)) {
            Site site = Site.build(home(), home().resolve("target/demo"), cleanup, progress);
            Course course = new Course(site, options.quick() ? QUICK : FULL, options.quick() ? 1 : PAIRS);
            List<Block> blocks = course.play(new Log(progress, course.blocks()));
            Bars bars = new Bars(blocks);
            Report report = new Report("dag");
            bars.addTo(report);
            options.show(report);
            bars.print(System.out);
        }
    }

    private static Path home() {
        return Path.of(System.getProperty("aether.home", "")).toAbsolutePath();
    }

    /** A line now and then. */
    private record Log(Progress progress, int blocks) implements Course.Listener {
        @Override
        public void tick(Limits limits, int block, double second, List<Answer> answers) {
            progress.update("block %d of %d, limiter %s, second %.0f".formatted(block, blocks, limits.label(), second));
        }

        @Override
        public void over(Block block) {
            Figures figures = new Figures(List.of(block), block.limits());
            StringBuilder line = new StringBuilder("limiter " + block.limits().label() + ":");
            for (Flow flow : Flow.values()) {
                line.append(String.format(Locale.ROOT, " %s %.3f", flow.label(), figures.overload(flow)));
            }
            progress.line(line + ", " + block.wasted() + " of " + block.calls() + " calls wasted");
        }
    }
}

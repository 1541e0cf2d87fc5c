// SPDX-License-Identifier: Apache-2.0
package io.aether.bench.demo;

import io.aether.bench.Progress;
import java.io.IOException;
import java.util.Locale;
import java.util.stream.Collectors;

/** Follows a run: the live line, the agent's death, the end. */
final class Watch {

    private static final int STEP_MILLIS = 500;

    private final Schedule schedule;
    private final Conductor conductor;
    private final Stage stage;
    private final Load load;
    private final Results results;
    private final Progress progress;

    Watch(Schedule schedule, Conductor conductor, Stage stage, Load load, Results results, Progress progress) {
        this.schedule = schedule;
        this.conductor = conductor;
        this.stage = stage;
        this.load = load;
        this.results = results;
        this.progress = progress;
    }

    /**
     * Returns at second {@code end} of the run that began at {@code t0}, with a line on what other machines took of the
     * processors meanwhile; fails when the load ends much earlier.
     */
    String until(double end, long t0) throws IOException, InterruptedException {
        Stolen stolen = new Stolen();
        while (true) {
            double second = (System.nanoTime() - t0) / 1e9;
            if (second >= end) {
                stolen.follow(null);
                return stolen.line();
            }
            if (!load.running() && second < end - 2) {
                throw new IOException("the load generator ended at second %.0f of %.0f".formatted(second, end));
            }
            if (stage.agentDied()) {
                progress.line("the agent has ended; the demo goes on without kernel signals");
            }
            stolen.follow(schedule.block(second));
            progress.update(line(second, end));
            Thread.sleep(STEP_MILLIS);
        }
    }

    private String line(double second, double end) {
        Schedule.Block block = schedule.block(second);
        Arm arm = block == null ? Arm.ROUND_ROBIN : block.arm();
        String what = block == null ? "warm-up" : arm.label();
        String faults = conductor.active().stream().map(Fault::label).collect(Collectors.joining("+"));
        Figures recent = results.recent(arm, results.t0(schedule.warmup()), 200);
        return String.format(
                Locale.ROOT,
                "%4.0f/%.0f s  %-11s  %-14s  last %d: P50 %.0f  P90 %.0f  P99 %.0f ms, %d errors",
                second,
                end,
                what,
                faults.isEmpty() ? "no fault" : faults,
                recent.requests(),
                recent.millis(50),
                recent.millis(90),
                recent.millis(99),
                recent.errors());
    }
}

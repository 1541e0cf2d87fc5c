// SPDX-License-Identifier: Apache-2.0
package io.aether.bench.demo;

import java.io.IOException;
import java.util.Locale;
import java.util.Objects;

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

    /** Returns at second {@code end} of the run that began at {@code t0}; fails when the load ends much earlier. */
    void until(double end, long t0) throws IOException, InterruptedException {
        Schedule.Block measured = null;
        while (true) {
            double second = (System.nanoTime() - t0) / 1e9;
            if (second >= end) {
                return;
            }
            if (!load.running() && second < end - 2) {
                throw new IOException("the load generator ended at second %.0f of %.0f".formatted(second, end));
            }
            if (stage.agentDied()) {
                progress.line("the agent has ended; the demo goes on without kernel signals");
            }
            Schedule.Block block = schedule.block(second);
            if (!Objects.equals(
                    block, measured)) { // The kernel holds each process for it, so only while nothing counts.
                stage.measureMemory();
                measured = block;
            }
            progress.update(line(second, end, t0));
            Thread.sleep(STEP_MILLIS);
        }
    }

    private String line(double second, double end, long t0) {
        Schedule.Block block = schedule.block(second);
        Arm arm = block == null ? Arm.ROUND_ROBIN : block.arm();
        String what = block == null ? "warm-up" : arm.label();
        Fault fault = conductor.active();
        Figures recent = results.recent(arm, t0, 200);
        return String.format(
                Locale.ROOT,
                "%4.0f/%.0f s  %-11s  %-8s  last %d: P50 %.0f  P90 %.0f  P99 %.0f ms, %d errors",
                second,
                end,
                what,
                fault == null ? "no fault" : fault.label(),
                recent.requests(),
                recent.millis(50),
                recent.millis(90),
                recent.millis(99),
                recent.errors());
    }
}

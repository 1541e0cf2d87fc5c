// SPDX-License-Identifier: Apache-2.0
package io.aether.bench.demo;

import io.aether.bench.Cleanup;
import io.aether.bench.ExitCode;
import io.aether.bench.Host;
import io.aether.bench.PrerequisiteException;
import io.aether.bench.Progress;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Runs the checkout graph on this machine, injects faults, and compares the ways of balancing under the same open-loop
 * load. Exit codes: 0 done, 1 failed, 2 wrong usage, 3 prerequisite missing.
 *
 * <p>The system property {@code aether.home} names the repository's root; the working directory is the default.
 * {@code aether.terminal} says whether standard output is a terminal.
 */
public final class Demo {

    private static final int ANSWERS_OUT_SECONDS = 15;

    /** A forgotten demo does not load a machine for ever. */
    private static final int KEPT_SECONDS = 12 * 3600;

    private static final int WATCH_MILLIS = 1000;

    private final DemoOptions options;
    private final Path home = Path.of(System.getProperty("aether.home", "")).toAbsolutePath();
    private final Path directory = home.resolve("target/demo");
    private final Progress progress = new Progress(System.out, Boolean.getBoolean("aether.terminal"));
    private final long begun = System.nanoTime();

    private Demo(DemoOptions options) {
        this.options = options;
    }

    public static void main(String[] args) {
        System.exit(run(System.out, System.err, args));
    }

    static int run(PrintStream out, PrintStream err, String... args) {
        DemoOptions options;
        try {
            options = DemoOptions.parse(args);
        } catch (UsageException e) {
            err.println(e.getMessage());
            err.print(DemoOptions.USAGE);
            return ExitCode.WRONG_USAGE;
        }
        if (options.help()) {
            out.print(DemoOptions.USAGE);
            return ExitCode.DONE;
        }
        return ExitCode.of("the demo", err, () -> new Demo(options).run(err));
    }

    private void run(PrintStream err) throws IOException, PrerequisiteException, InterruptedException {
        Set<Fault> faults = possible(options.faults());
        if (!Host.root()) {
            progress.line("not root: no cgroups, no kernel signals, and only the faults "
                    + faults.stream().map(Fault::label).toList());
        }
        try (Cleanup cleanup = new Cleanup(err)) {
            Stage stage = Stage.build(home, directory, options, cleanup, progress);
            progress.line("%d processes healthy in %.0f s, %d MiB"
                    .formatted(stage.processes().size(), seconds(), stage.mebibytes()));
            measure(stage, faults, cleanup);
            if (options.keep()) {
                keep(stage, cleanup);
            }
        }
        progress.line("stopped everything after %.0f s".formatted(seconds()));
    }

    private static Set<Fault> possible(Set<Fault> faults) {
        return faults.stream()
                .filter(fault -> Host.root() || !fault.needsRoot())
                .collect(Collectors.toCollection(() -> EnumSet.noneOf(Fault.class)));
    }

    private void measure(Stage stage, Set<Fault> faults, Cleanup cleanup) throws IOException, InterruptedException {
        List<Arm> arms = stage.arms();
        Schedule schedule = Schedule.of(arms, faults, options.seconds());
        Results results = new Results(options.rate());
        Conductor conductor = new Conductor(schedule, stage.cluster(), stage.injector(), progress::line);
        cleanup.add(conductor::close);
        Files.createDirectories(directory);
        Load load = Load.start(stage.cluster().gateway().url(""), options.rate(), schedule, directory, results::add);
        cleanup.add(load::close);
        long t0 = results.t0(schedule.warmup());
        conductor.start(t0);
        String stolen = new Watch(schedule, conductor, stage, load, results, progress).until(schedule.end(), t0);
        load.finish(ANSWERS_OUT_SECONDS);
        conductor.close();
        long mebibytes = stage.mebibytes();
        report(schedule, results, conductor.shares().byFault());
        long begin = results.t0(schedule.warmup());
        progress.line("the generator sent its checkouts %.0f ms late (median), %.0f ms (P99); latency includes that"
                .formatted(results.lateMillis(begin, 50), results.lateMillis(begin, 99)));
        progress.line(stolen);
        if (stage.arms().contains(Arm.KERNEL_HEDGE)) {
            progress.line(stage.cluster().hedged().line());
        }
        progress.line("memory of all processes at the end: %d MiB".formatted(mebibytes));
    }

    private void report(Schedule schedule, Results results, Map<Fault, Map<Arm, Double>> shares) throws IOException {
        Collection<Figures> figures = results.figures(schedule).values();
        progress.line("");
        progress.line(Table.of(figures, shares));
        Path page = directory.resolve("report.html");
        List<Results.Timed> checkouts = results.timed(results.t0(schedule.warmup()));
        Report.write(page, schedule, checkouts, figures, shares, options.rate());
        progress.line("report: " + page);
        Path json = options.json();
        if (json != null) {
            Files.writeString(json, Json.of(figures, shares, options.seconds(), options.rate()));
        }
    }

    /** Load goes on, and the page shows it and switches arms and faults, until the process is ended. */
    private void keep(Stage stage, Cleanup cleanup) throws IOException, InterruptedException {
        Arm arm = stage.arms().get(stage.arms().size() - 1);
        stage.cluster().switchAgain(stage.cluster().switchTo(arm));
        LiveFigures figures = new LiveFigures(options.rate(), arm, System.nanoTime());
        Schedule schedule = Schedule.unplanned(arm, KEPT_SECONDS);
        Load load = Load.start(stage.cluster().gateway().url(""), options.rate(), schedule, directory, figures::add);
        cleanup.add(load::close);
        Live live = new Live(
                stage.cluster(),
                stage.injector(),
                stage.agent(),
                stage.arms(),
                possible(EnumSet.allOf(Fault.class)),
                figures,
                load::running);
        cleanup.add(live::close);
        cleanup.add(LiveServer.start(LiveServer.PORT, live)::close);
        progress.line("still running, under load; look at it and switch arms and faults at "
                + stage.cluster().gateway().url("/") + " (Ctrl-C ends it)");
        while (true) {
            Thread.sleep(WATCH_MILLIS);
            if (stage.agentDied()) {
                progress.line("the agent has ended; the page can start it again");
            }
        }
    }

    private double seconds() {
        return (System.nanoTime() - begun) / 1e9;
    }
}

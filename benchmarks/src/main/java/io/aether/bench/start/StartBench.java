// SPDX-License-Identifier: Apache-2.0
package io.aether.bench.start;

import io.aether.bench.BenchOptions;
import io.aether.bench.Cleanup;
import io.aether.bench.ExitCode;
import io.aether.bench.PrerequisiteException;
import io.aether.bench.Progress;
import io.aether.bench.Report;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * What the starter costs an application's start and memory: the same application with the same settings, with and without what
 * the starter brings on its class path, started in turn (with, without, without, with, so that what drifts hits both alike).
 */
public final class StartBench {
    /** Two pairs each: six pairs are the fewest whose interval is sure. */
    private static final int BLOCKS = 3;

    private static final int QUICK_BLOCKS = 1;

    private StartBench() {}

    public static void main(String[] args) {
        BenchOptions options = BenchOptions.parse("start", args);
        System.exit(ExitCode.of("start", System.err, () -> run(options, System.err)));
    }

    private static void run(BenchOptions options, PrintStream err)
            throws IOException, PrerequisiteException, InterruptedException {
        Progress progress = new Progress(err, Boolean.getBoolean("aether.terminal"));
        Path home = Path.of(System.getProperty("aether.home", "")).toAbsolutePath();
        try (Cleanup cleanup = new Cleanup(err)) {
            Path directory = Files.createDirectories(home.resolve("target/start"));
            Stage stage = Stage.set(directory, cleanup);
            List<Application> applications =
                    List.of(Application.gateway(home, directory), Application.service(home, directory));
            Report report = new Report("start");
            for (Application application : applications) {
                Comparison comparison = new Comparison();
                stage.measure(application, true); // what is on disk only comes to memory
                for (int i = 0; i < (options.quick() ? QUICK_BLOCKS : BLOCKS); i++) {
                    progress.update("start: " + application.label() + ", block " + (i + 1));
                    block(stage, application, comparison);
                }
                comparison.addTo(report, application.label());
            }
            options.show(report);
        }
    }

    private static void block(Stage stage, Application application, Comparison comparison)
            throws IOException, InterruptedException {
        Figures with = stage.measure(application, true);
        comparison.add(with, stage.measure(application, false));
        Figures without = stage.measure(application, false);
        comparison.add(stage.measure(application, true), without);
    }
}

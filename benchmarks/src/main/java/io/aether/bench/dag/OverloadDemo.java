// SPDX-License-Identifier: Apache-2.0
package io.aether.bench.dag;

import io.aether.bench.Cleanup;
import io.aether.bench.ExitCode;
import io.aether.bench.PrerequisiteException;
import io.aether.bench.Progress;
import io.aether.bench.Report;
import io.aether.bench.demo.UsageException;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * The checkout graph with its inventory at twice what it can serve, while analytics want more and more of it: what each branch gets, and
 * how quickly, with the limiter off and on. Exit codes: 0 done, 1 failed, 2 wrong usage, 3 prerequisite missing.
 */
public final class OverloadDemo {

    private final OverloadOptions options;
    private final Progress progress = new Progress(System.out, Boolean.getBoolean("aether.terminal"));
    private final Path home = Path.of(System.getProperty("aether.home", "")).toAbsolutePath();
    private final Path directory = home.resolve("target/demo");
    private final long begun = System.nanoTime();

    private OverloadDemo(OverloadOptions options) {
        this.options = options;
    }

    public static void main(String[] args) throws Exception {
        OverloadOptions options;
        try {
            options = OverloadOptions.parse(args);
        } catch (UsageException e) {
            System.err.println(e.getMessage());
            System.err.print(OverloadOptions.USAGE);
            System.exit(ExitCode.WRONG_USAGE);
            return;
        }
        if (options.help()) {
            System.out.print(OverloadOptions.USAGE);
            return;
        }
        System.exit(Room.run(
                OverloadDemo.class,
                args,
                () -> ExitCode.of("the demo", System.err, () -> new OverloadDemo(options).run(System.err))));
    }

    private void run(PrintStream err) throws IOException, PrerequisiteException, InterruptedException {
        try (Cleanup cleanup = new Cleanup(err)) {
            Files.createDirectories(directory);
            Site site = Site.build(home, directory, cleanup, progress);
            progress.line("all processes warm after %.0f s; %s"
                    .formatted(seconds(), site.kernel() ? "the kernel marks" : "without the kernel's marks"));
            Course course = new Course(site, options.phases(), options.pairs());
            report(course.play(new Live(progress, options.phases(), course.blocks())));
        }
    }

    private void report(List<Block> blocks) throws IOException {
        progress.line("");
        progress.line(Table.of(blocks));
        Path page = directory.resolve("overload.html");
        Page.write(page, blocks);
        progress.line("report: " + page);
        Path json = options.json();
        if (json != null) {
            Report report = new Report("demo-overload");
            new Bars(blocks).addTo(report);
            report.write(json);
        }
    }

    private double seconds() {
        return (System.nanoTime() - begun) / 1e9;
    }
}

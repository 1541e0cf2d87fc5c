// SPDX-License-Identifier: Apache-2.0
package io.aether.bench.peers;

import io.aether.bench.Cleanup;
import io.aether.bench.ExitCode;
import io.aether.bench.PrerequisiteException;
import io.aether.bench.Progress;
import io.aether.bench.Report;
import io.aether.bench.dag.Room;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Spring's round robin, Finagle, ServiceTalk, Stork, Dubbo, HAProxy, nginx and Aether before the same servers, over TCP, while the
 * same things go wrong with them: policies take turns in one run.
 */
public final class PeersBench {
    private static final int ROUNDS = 2;

    private PeersBench() {}

    public static void main(String[] args) throws Exception {
        Options options = Options.parse(args);
        System.exit(Room.run(
                PeersBench.class, args, () -> ExitCode.of("peers", System.err, () -> run(options, System.err))));
    }

    private static void run(Options options, PrintStream err)
            throws IOException, PrerequisiteException, InterruptedException {
        Progress progress = new Progress(err, Boolean.getBoolean("aether.terminal"));
        try (Cleanup cleanup = new Cleanup(err)) {
            Path home = Path.of(System.getProperty("aether.home", "")).toAbsolutePath();
            Site site = Site.build(home, options.policies(), cleanup, progress);
            Harm harm = site.harm();
            cleanup.add(harm::close);
            List<Fault> faults = possible(options.faults(), harm, progress);
            boolean quick = options.bench().quick();
            Course course = quick
                    ? new Course(site, faults, 1, 1500, 500, 1700)
                    : new Course(site, faults, ROUNDS, 4000, 1000, 3000);
            Outcome outcome = new Outcome(course.play(harm, progress));
            Report report = new Report("peers");
            outcome.addTo(report);
            options.bench().show(report);
            outcome.print(System.out);
        }
    }

    private static List<Fault> possible(List<Fault> wanted, Harm harm, Progress progress) {
        List<Fault> possible = new ArrayList<>();
        for (Fault fault : wanted) {
            if (harm.possible(fault)) {
                possible.add(fault);
            } else {
                progress.line("skipped " + fault.label() + ": it needs root");
            }
        }
        return possible;
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.aether.bench.overhead;

import io.aether.agent.cgroup.CgroupFinder;
import io.aether.agent.cgroup.CgroupNotFoundException;
import io.aether.bench.BenchOptions;
import io.aether.bench.Change;
import io.aether.bench.Cleanup;
import io.aether.bench.ExitCode;
import io.aether.bench.Host;
import io.aether.bench.PrerequisiteException;
import io.aether.bench.Report;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * What the agent costs under 2,000 HTTP requests a second on one machine: the same load without and with the agent in
 * turn, and then, in turns that are not compared because counting costs something itself, run time of the kernel programs
 * as the kernel counts it, CPU time and memory of the agent's process. Each agent runs for two turns between two without
 * it, so that what drifts hits both alike.
 */
public final class OverheadBench {
    private static final int RATE = 2_000;
    /** Two pairs each; together some sixteen minutes. */
    private static final int AGENTS = 12;

    private static final int QUICK_AGENTS = 3;
    /** Two turns make Prometheus' usual interval: one scrape belongs to them. */
    private static final long TURN = TimeUnit.MILLISECONDS.toNanos(7_500);
    /** A new agent compiles what it runs often: its steady state, after some scrapes, is what counts. */
    private static final long SETTLE = TimeUnit.SECONDS.toNanos(8);
    /** Until what a new or an ended agent did to the machine's caches and processes is over. */
    private static final long PAUSE = TimeUnit.SECONDS.toNanos(2);

    private static final int SETTLE_SCRAPES = 30;
    /** With fewer, no interval of 95 % can be told. */
    private static final int LEAST_PAIRS = 6;

    private final Stage stage;
    private final Load load;
    private final Counting counting;
    private final int agents;
    private final Turns turns = new Turns();
    private final Pairs pairs = new Pairs();
    private final Usage usage = new Usage();

    private OverheadBench(Stage stage, Load load, Counting counting, int agents) {
        this.stage = stage;
        this.load = load;
        this.counting = counting;
        this.agents = agents;
    }

    public static void main(String[] args) {
        List<String> others = new ArrayList<>(List.of(args));
        boolean soak = others.remove("--soak");
        BenchOptions options = BenchOptions.parseBeside(" [--soak]", "overhead", others.toArray(String[]::new));
        System.exit(ExitCode.of("overhead", System.err, () -> run(options, soak, System.err)));
    }

    private static void run(BenchOptions options, boolean soak, PrintStream err)
            throws IOException, PrerequisiteException, InterruptedException {
        Path jar = agentJar();
        Path root = root();
        Report report = new Report("overhead");
        try (Cleanup cleanup = new Cleanup(err)) {
            Stage stage = Stage.set(root, jar, cleanup);
            Load load = new Load(stage.address());
            cleanup.add(load::close);
            load.run(RATE, 0, SETTLE); // both ends compile
            if (soak) {
                new Soak(load, options.quick()).run(stage, report);
            } else {
                int agents = options.quick() ? QUICK_AGENTS : AGENTS;
                new OverheadBench(stage, load, Counting.off(cleanup), agents).compare(report);
            }
        }
        options.show(report);
    }

    private static Path root() throws PrerequisiteException {
        if (!Host.root()) {
            throw new PrerequisiteException("the agent cannot load kernel programs. Fix: run this as root");
        }
        try {
            return new CgroupFinder(Path.of("/")).find(null).path();
        } catch (CgroupNotFoundException e) {
            throw new PrerequisiteException(e.getMessage() + ". Fix: " + e.fix());
        }
    }

    private static Path agentJar() throws IOException {
        Path target = Path.of("telemetry-agent", "target");
        try (Stream<Path> files = Files.list(target)) {
            return files.filter(file -> file.getFileName().toString().endsWith("-exec.jar"))
                    .findFirst()
                    .orElseThrow(
                            () -> new IOException("no executable jar in " + target + ": run this through ./aether"));
        }
    }

    private void compare(Report report) throws IOException, PrerequisiteException, InterruptedException {
        for (int i = 0; i < agents; i++) {
            System.err.printf("overhead: agent %d of %d%n", i + 1, agents);
            Load.Result before = without();
            List<Load.Result> with = with();
            pairs.add(before, with.get(0));
            pairs.add(without(), with.get(1));
        }
        add(report);
    }

    private Load.Result without() throws IOException, InterruptedException {
        load.run(RATE, 0, PAUSE);
        return turns.run(() -> List.of(load.run(RATE, 0, TURN))).get(0);
    }

    private List<Load.Result> with() throws IOException, PrerequisiteException, InterruptedException {
        try (Agent agent = Agent.start(stage)) {
            for (int i = 0; i < SETTLE_SCRAPES; i++) {
                agent.scrape();
            }
            load.run(RATE, 0, SETTLE);
            List<Load.Result> results = turns.run(() -> List.of(load.run(RATE, 0, TURN), load.run(RATE, 0, TURN)));
            counting.set(true);
            usage.during(agent, () -> load.run(RATE, 0, 2 * TURN));
            counting.set(false);
            return results;
        }
    }

    private void add(Report report) {
        report.add("kernel programs total", usage.kernelPercent(), "%core");
        report.add("agent process total", usage.agentPercent(), "%core");
        report.add("agent resident", usage.residentMegabytes(), "MB");
        add(report, "", pairs);
        if (pairs.calm().count() >= LEAST_PAIRS) {
            add(report, " calm", pairs.calm());
        }
        report.add("turns repeated", (double) turns.repeated(), "");
        for (String program : usage.programs()) {
            report.add("program " + program, usage.nanosPerRun(program), "ns");
            report.add("runs " + program, usage.runsPerSecond(program), "/s");
        }
    }

    private static void add(Report report, String which, Pairs pairs) {
        report.add("throughput without" + which, pairs.perSecond(false), "req/s");
        report.add("throughput with" + which, pairs.perSecond(true), "req/s");
        add(report, "throughput change" + which, pairs.perSecondChange());
        report.add("p99 without" + which, pairs.p99(false), "us");
        report.add("p99 with" + which, pairs.p99(true), "us");
        add(report, "p99 change" + which, pairs.p99Change());
        report.add("pairs" + which, (double) pairs.count(), "");
    }

    private static void add(Report report, String row, Change change) {
        report.add(row, change.median(), "%");
        report.add(row + " from", change.low(), "%");
        report.add(row + " to", change.high(), "%");
    }
}

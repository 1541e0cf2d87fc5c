// SPDX-License-Identifier: Apache-2.0
package io.aether.bench.overhead;

import io.aether.agent.cgroup.CgroupFinder;
import io.aether.agent.cgroup.CgroupNotFoundException;
import io.aether.bench.Change;
import io.aether.bench.Report;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What the agent costs under 2,000 HTTP requests a second on one machine: run time of the kernel programs as the kernel
 * counts it, CPU time and memory of the agent's process, and the same load without and with the agent in turn. Each agent
 * runs for two turns between two without it, so that what drifts hits both alike.
 */
public final class OverheadBench {
    private static final String USAGE = "usage: OverheadBench [--quick] [--soak] [--json FILE]";
    private static final int PREREQUISITE = 3;
    private static final int RATE = 2_000;
    /** Two pairs each; together some nine minutes. */
    private static final int AGENTS = 12;

    private static final int QUICK_AGENTS = 3;
    /** Two turns make Prometheus' usual interval: one scrape belongs to them. */
    private static final long TURN = TimeUnit.MILLISECONDS.toNanos(7_500);
    /** A new agent compiles what it runs often: its steady state, after some scrapes, is what counts. */
    private static final long SETTLE = TimeUnit.SECONDS.toNanos(8);
    /** Until what a new or an ended agent did to the machine's caches and processes is over. */
    private static final long PAUSE = TimeUnit.SECONDS.toNanos(2);

    private static final int SETTLE_SCRAPES = 30;

    private OverheadBench() {}

    public static void main(String[] args) throws Exception {
        boolean quick = false;
        boolean soak = false;
        Path json = null;
        for (int i = 0; i < args.length; i++) {
            if (args[i].equals("--quick")) {
                quick = true;
            } else if (args[i].equals("--soak")) {
                soak = true;
            } else if (args[i].equals("--json") && i + 1 < args.length) {
                json = Path.of(args[++i]);
            } else {
                System.err.println(USAGE);
                System.exit(2);
            }
        }
        Path directory = Files.createTempDirectory("aether-overhead");
        int code = 1;
        try {
            run(directory, quick, soak, json);
            code = 0;
        } catch (PrerequisiteException e) {
            System.err.println("overhead: " + e.getMessage());
            code = PREREQUISITE;
        } finally {
            try (Stream<Path> files = Files.list(directory)) {
                for (Path file : files.toList()) {
                    Files.delete(file);
                }
            }
            Files.delete(directory);
        }
        System.exit(code);
    }

    private static void run(Path directory, boolean quick, boolean soak, @Nullable Path json)
            throws IOException, InterruptedException {
        Path jar = agentJar();
        Report report = new Report("overhead");
        try (Stage stage = Stage.set(root());
                Load load = new Load(stage.address())) {
            load.run(RATE, 0, SETTLE); // both ends compile
            if (soak) {
                new Soak(load, quick).run(stage, jar, directory, report);
            } else {
                compare(stage, load, jar, directory, quick, report);
            }
        }
        report.print(System.out);
        if (json != null) {
            report.write(json);
        }
    }

    private static Path root() throws IOException {
        if (!Integer.valueOf(0).equals(Files.getAttribute(Path.of("/proc/self"), "unix:uid"))) {
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

    private static void compare(Stage stage, Load load, Path jar, Path directory, boolean quick, Report report)
            throws IOException, InterruptedException {
        Pairs pairs = new Pairs();
        Usage usage = new Usage();
        int count = quick ? QUICK_AGENTS : AGENTS;
        for (int i = 0; i < count; i++) {
            System.err.printf("overhead: agent %d of %d%n", i + 1, count);
            Load.Result before = without(load);
            List<Load.Result> with = with(stage, load, jar, directory, usage);
            pairs.add(before, with.get(0));
            pairs.add(without(load), with.get(1));
        }
        add(report, usage, pairs);
    }

    private static Load.Result without(Load load) throws IOException, InterruptedException {
        load.run(RATE, 0, PAUSE);
        return load.run(RATE, 0, TURN);
    }

    private static List<Load.Result> with(Stage stage, Load load, Path jar, Path directory, Usage usage)
            throws IOException, InterruptedException {
        try (Agent agent = Agent.start(stage, jar, directory)) {
            for (int i = 0; i < SETTLE_SCRAPES; i++) {
                agent.scrape();
            }
            load.run(RATE, 0, SETTLE);
            return usage.during(agent, () -> List.of(load.run(RATE, 0, TURN), load.run(RATE, 0, TURN)));
        }
    }

    private static void add(Report report, Usage usage, Pairs pairs) {
        report.add("kernel programs total", usage.kernelPercent(), "%core");
        report.add("agent process total", usage.agentPercent(), "%core");
        report.add("agent resident", usage.residentMegabytes(), "MB");
        report.add("throughput without", pairs.perSecond(false), "req/s");
        report.add("throughput with", pairs.perSecond(true), "req/s");
        add(report, "throughput change", pairs.perSecondChange());
        report.add("p99 without", pairs.p99(false), "us");
        report.add("p99 with", pairs.p99(true), "us");
        add(report, "p99 change", pairs.p99Change());
        report.add("pairs", (double) pairs.count(), "");
        for (String program : usage.programs()) {
            report.add("program " + program, usage.nanosPerRun(program), "ns");
            report.add("runs " + program, usage.runsPerSecond(program), "/s");
        }
    }

    private static void add(Report report, String row, Change change) {
        report.add(row, change.median(), "%");
        report.add(row + " from", change.low(), "%");
        report.add(row + " to", change.high(), "%");
    }
}

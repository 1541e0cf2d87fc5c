// SPDX-License-Identifier: Apache-2.0
package io.aether.bench.overhead;

import java.io.IOException;
import java.util.Map;
import java.util.TreeMap;

/** What the agent used up over the turns it ran in: sums of differences between two moments of each. Not thread-safe. */
final class Usage {
    private static final String RUNS = "aether_ebpf_program_runs_total";
    private static final String SECONDS = "aether_ebpf_program_run_seconds_total";

    private final Map<String, Double> runs = new TreeMap<>();
    private final Map<String, Double> seconds = new TreeMap<>();
    private double wall;
    private double cpu;
    private double resident;

    /** One moment. */
    private record Moment(Scrape scrape, double cpu, long nanos) {
        static Moment of(Agent agent) throws IOException, InterruptedException {
            return new Moment(agent.scrape(), agent.cpuSeconds(), System.nanoTime());
        }
    }

    /** What is measured. */
    interface Task {
        void run() throws IOException, InterruptedException;
    }

    /** Adds what the agent uses while the task runs, one scrape included. */
    void during(Agent agent, Task task) throws IOException, InterruptedException {
        Moment start = Moment.of(agent);
        task.run();
        Moment end = Moment.of(agent);
        add(runs, start.scrape().byProbe(RUNS, "program"), end.scrape().byProbe(RUNS, "program"));
        add(seconds, start.scrape().byProbe(SECONDS, "program"), end.scrape().byProbe(SECONDS, "program"));
        wall += (end.nanos() - start.nanos()) / 1e9;
        cpu += end.cpu() - start.cpu();
        resident = Math.max(resident, agent.residentMegabytes());
    }

    private static void add(Map<String, Double> sums, Map<String, Double> from, Map<String, Double> to) {
        to.forEach((program, value) -> sums.merge(program, value - from.getOrDefault(program, 0.0), Double::sum));
    }

    /** Run time of all programs, % of each of the machine's cores. */
    double kernelPercent() {
        double all = seconds.values().stream().mapToDouble(Double::doubleValue).sum();
        return 100 * all / wall / Runtime.getRuntime().availableProcessors();
    }

    /** CPU time of the agent's process, % of one core. */
    double agentPercent() {
        return 100 * cpu / wall;
    }

    /** The most that was resident at the end of a turn, MB. */
    double residentMegabytes() {
        return resident;
    }

    /** Names of all programs, {@code probe/program}. */
    Iterable<String> programs() {
        return runs.keySet();
    }

    double nanosPerRun(String program) {
        double count = runs.getOrDefault(program, 0.0);
        return count == 0 ? 0 : seconds.getOrDefault(program, 0.0) * 1e9 / count;
    }

    double runsPerSecond(String program) {
        return runs.getOrDefault(program, 0.0) / wall;
    }
}

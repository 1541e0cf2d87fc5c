// SPDX-License-Identifier: Apache-2.0
package io.aether.bench.sim;

import io.aether.bench.Report;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/** Runs every scenario under every policy and prints what each gave. */
public final class SimBench {
    private static final String USAGE = "usage: SimBench [--quick] [--json FILE] [--only NAME[,NAME...]]";

    private SimBench() {}

    public static void main(String[] args) throws Exception {
        boolean quick = false;
        @Nullable Path json = null;
        String only = "";
        for (int i = 0; i < args.length; i++) {
            if (args[i].equals("--quick")) {
                quick = true;
            } else if (args[i].equals("--json") && i + 1 < args.length) {
                json = Path.of(args[++i]);
            } else if (args[i].equals("--only") && i + 1 < args.length) {
                only = args[++i];
            } else {
                System.err.println(USAGE);
                System.exit(2);
            }
        }
        List<Scenario> scenarios = Scenarios.named(only);
        if (scenarios.isEmpty()) {
            System.err.println("no scenario's name contains " + only);
            System.exit(2);
        }
        Report report = run(scenarios, quick);
        if (json != null) {
            report.write(json);
        }
    }

    private static Report run(List<Scenario> scenarios, boolean quick) throws Exception {
        ExecutorService workers = Executors.newFixedThreadPool(
                Math.max(1, Math.min(2, Runtime.getRuntime().availableProcessors())));
        Report report = new Report("sim");
        Verdict verdict = new Verdict();
        try {
            List<Map<Arm, List<Future<Tally>>>> pending = new ArrayList<>();
            for (Scenario scenario : scenarios) {
                pending.add(submit(scenario, quick, workers));
            }
            for (int i = 0; i < scenarios.size(); i++) {
                Map<Arm, Tally> tallies = collect(pending.get(i));
                Rows.print(scenarios.get(i), tallies, System.out);
                Rows.report(scenarios.get(i), tallies, report);
                verdict.add(scenarios.get(i), tallies);
            }
        } finally {
            workers.shutdownNow();
        }
        verdict.print(System.out);
        return report;
    }

    private static Map<Arm, List<Future<Tally>>> submit(Scenario scenario, boolean quick, ExecutorService workers) {
        Map<Arm, List<Future<Tally>>> runs = new EnumMap<>(Arm.class);
        for (Arm arm : Arm.values()) {
            List<Future<Tally>> seeds = new ArrayList<>();
            for (int seed = 1; seed <= (quick ? 1 : Scenario.SEEDS); seed++) {
                long mine = seed;
                Callable<Tally> run = () -> scenario.run(arm, mine, quick);
                seeds.add(workers.submit(run));
            }
            runs.put(arm, seeds);
        }
        return runs;
    }

    private static Map<Arm, Tally> collect(Map<Arm, List<Future<Tally>>> runs)
            throws InterruptedException, ExecutionException {
        Map<Arm, Tally> tallies = new EnumMap<>(Arm.class);
        for (Map.Entry<Arm, List<Future<Tally>>> entry : runs.entrySet()) {
            Tally sum = entry.getValue().get(0).get();
            for (Future<Tally> run :
                    entry.getValue().subList(1, entry.getValue().size())) {
                sum.add(run.get());
            }
            tallies.put(entry.getKey(), sum);
        }
        runs.clear();
        return tallies;
    }
}

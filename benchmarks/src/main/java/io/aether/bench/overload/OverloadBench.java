// SPDX-License-Identifier: Apache-2.0
package io.aether.bench.overload;

import io.aether.agent.bpf.ProbesUnavailableException;
import io.aether.agent.cgroup.CgroupFinder;
import io.aether.agent.cgroup.CgroupNotFoundException;
import io.aether.bench.BenchOptions;
import io.aether.bench.Report;
import io.aether.core.table.TableException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletionService;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * One service under 1.2 to 10 times what it can serve, over TCP between network namespaces, with the agent's own marks: the
 * limiter and its rivals in one run.
 */
public final class OverloadBench {
    /** Played at the same time: workers wait for their service times and leave the processors alone. */
    private static final int LANES = 5;

    private final List<Played> all = Collections.synchronizedList(new ArrayList<>());
    private final Plan plan;
    private final Stage stage;

    private OverloadBench(Plan plan, Stage stage) {
        this.plan = plan;
        this.stage = stage;
    }

    public static void main(String[] args) throws Exception {
        Options options = Options.parse(args);
        Plan plan = Plan.of(options);
        if (plan.count() == 0) {
            System.err.println("overload: no row contains '" + options.only() + "'");
            System.exit(BenchOptions.USAGE);
        }
        if (!Integer.valueOf(0).equals(Files.getAttribute(Path.of("/proc/self"), "unix:uid"))) {
            System.exit(missing("network namespaces need root", "run this as root"));
        }
        System.exit(run(options, plan));
    }

    private static int run(Options options, Plan plan) throws Exception {
        List<Played> all;
        try (Stage stage = Stage.set(new CgroupFinder(Path.of("/")).find(null).path(), options.ecn())) {
            all = new OverloadBench(plan, stage).play();
        } catch (CgroupNotFoundException e) {
            return missing(String.valueOf(e.getMessage()), e.fix());
        } catch (ProbesUnavailableException e) {
            return missing("the kernel cannot mark: " + e.reason(), e.fix());
        } catch (IOException | TableException | ExecutionException e) {
            System.err.println("overload: " + e.getMessage());
            return 1;
        }
        Report report = new Report("overload");
        Rows.add(report, all);
        options.bench().show(report);
        new Bars(all, options.ecn()).print(System.out);
        plot(options, all);
        return 0;
    }

    private static int missing(String reason, String fix) {
        System.err.println("overload: " + reason + ". Fix: " + fix);
        return BenchOptions.PREREQUISITE;
    }

    private List<Played> play() throws InterruptedException, ExecutionException {
        ExecutorService lanes = Executors.newFixedThreadPool(LANES);
        CompletionService<Lane> ends = new ExecutorCompletionService<>(lanes);
        for (int i = 0; i < LANES; i++) {
            ends.submit(() -> play(Lane.open(stage)));
        }
        try {
            for (int i = 0; i < LANES; i++) {
                ends.take().get(); // The first that fails ends them all.
            }
        } finally {
            lanes.shutdownNow();
        }
        return all;
    }

    private Lane play(Lane lane) throws IOException, InterruptedException {
        for (Bout bout : Plan.warmUp()) {
            lane.play(bout);
        }
        for (Bout bout = plan.next(); bout != null; bout = plan.next()) {
            try {
                Played played = lane.play(bout);
                all.add(played);
                System.err.printf("overload: %d of %d, %s%n", all.size(), plan.count(), played.brief());
            } finally {
                plan.done(bout);
            }
        }
        return lane;
    }

    /** Of the hardest that ours has with twenty clients. */
    private static void plot(Options options, List<Played> all) throws IOException {
        if (options.plot() == null) {
            return;
        }
        for (Played played : Rows.sorted(all)) {
            if (played.bout().policy() == Policy.AETHER && played.bout().factor() >= 4) {
                Files.writeString(options.plot(), new Plot(played).svg());
                return;
            }
        }
        System.err.println("overload: no run of aether at 4 times the capacity or more to draw");
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.aether.bench.micro;

import io.aether.bench.BenchOptions;
import io.aether.bench.Report;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/** Runs {@link MicroBenchmarks}, {@link LimiterBenchmarks} and {@link FilterBenchmarks} and reports time and allocation per operation. */
public final class MicroBench {
    private static final Map<String, String> NAMES = Map.ofEntries(
            Map.entry("tableRead", "table-read"),
            Map.entry("pickAether", "pick aether"),
            Map.entry("pickApplication", "pick aether-application"),
            Map.entry("pickRoundRobin", "pick round-robin"),
            Map.entry("pickRandom", "pick random"),
            Map.entry("acquire", "limiter acquire"),
            Map.entry("holdBack", "limiter hold-back"),
            Map.entry("report", "limiter report"),
            Map.entry("tick", "limiter tick"),
            Map.entry("client", "filter client"),
            Map.entry("server", "filter server"));

    private MicroBench() {}

    public static void main(String[] args) throws Exception {
        BenchOptions options = BenchOptions.parse("micro", args);
        Report report = run(options.quick());
        options.show(report);
    }

    private static Report run(boolean quick) throws Exception {
        ChainedOptionsBuilder options = new OptionsBuilder()
                .include("\\." + MicroBenchmarks.class.getSimpleName() + "\\.")
                .include("\\." + LimiterBenchmarks.class.getSimpleName() + "\\.")
                .include("\\." + FilterBenchmarks.class.getSimpleName() + "\\.")
                .addProfiler(GCProfiler.class)
                .verbosity(VerboseMode.SILENT)
                .shouldFailOnError(true)
                .forks(quick ? 1 : 2)
                .warmupIterations(quick ? 3 : 5)
                .warmupTime(TimeValue.milliseconds(quick ? 500 : 1000))
                .measurementIterations(quick ? 3 : 5)
                .measurementTime(TimeValue.milliseconds(quick ? 500 : 1000));
        Report report = new Report("micro");
        for (RunResult result : new Runner(options.build()).run()) {
            String name = name(result);
            report.add(name, result.getPrimaryResult().getScore(), "ns");
            Result<?> allocated = allocated(result);
            report.add(name + " B/op", allocated == null ? Double.NaN : allocated.getScore(), "B");
        }
        return report;
    }

    private static @Nullable Result<?> allocated(RunResult result) {
        return result.getSecondaryResults().get("gc.alloc.rate.norm");
    }

    private static String name(RunResult result) {
        String benchmark = result.getParams().getBenchmark();
        String method = benchmark.substring(benchmark.lastIndexOf('.') + 1);
        String name = NAMES.getOrDefault(method, method);
        return result.getParams().getParamsKeys().contains("size")
                ? name + " " + result.getParams().getParam("size")
                : name;
    }
}

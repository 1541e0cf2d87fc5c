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

/** Runs the benchmarks of this package and reports time and allocation per operation, and what instances take of memory. */
public final class MicroBench {
    private static final Map<String, String> NAMES = Map.ofEntries(
            Map.entry("tableRead", "table-read"),
            Map.entry("pickAether", "pick aether"),
            Map.entry("pickTold", "pick aether-told"),
            Map.entry("pickApplication", "pick aether-application"),
            Map.entry("pickRoundRobin", "pick round-robin"),
            Map.entry("pickRandom", "pick random"),
            Map.entry("pickTwo", "pick aether-2"),
            Map.entry("pickFinagle", "pick finagle"),
            Map.entry("pickServiceTalk", "pick servicetalk"),
            Map.entry("pickDubbo", "pick dubbo"),
            Map.entry("pickService", "pick 1000-services"),
            Map.entry("acquire", "limiter acquire"),
            Map.entry("holdBack", "limiter hold-back"),
            Map.entry("report", "limiter report"),
            Map.entry("tick", "limiter tick"),
            Map.entry("client", "filter client"),
            Map.entry("server", "filter server"),
            Map.entry("observeClass", "observation class"),
            Map.entry("observeKeys", "observation keys"));

    /** Instances of a large service. */
    private static final int MANY = 10_000;

    /** Of them, for a mean. */
    private static final int MEMORY_SERVICES = 10;

    private MicroBench() {}

    public static void main(String[] args) throws Exception {
        BenchOptions options = BenchOptions.parse("micro", args);
        Report report = run(options.quick());
        options.show(report);
    }

    private static Report run(boolean quick) throws Exception {
        ChainedOptionsBuilder options = new OptionsBuilder()
                .include("^" + MicroBench.class.getPackageName().replace(".", "\\.") + "\\.")
                .addProfiler(GCProfiler.class)
                .verbosity(VerboseMode.SILENT)
                .shouldFailOnError(true)
                // Dubbo tells of all that it reads.
                .jvmArgsAppend("-Dlogback.configurationFile=io/aether/bench/overload/logback.xml")
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
        Footprint footprint = new Footprint();
        report.add("memory instance", footprint.perService(MEMORY_SERVICES, MANY) / MANY, "B");
        report.add("memory service", footprint.perService(1000, 3), "B");
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

// SPDX-License-Identifier: Apache-2.0
package io.aether.bench.demo;

import io.aether.bench.PageTemplate;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;

/** One page with everything in it: the figures as data, and the script that draws them. */
final class Report {

    private static final String TEMPLATE = "report.html";

    private Report() {}

    static void write(
            Path file,
            Schedule schedule,
            List<Results.Timed> checkouts,
            Collection<Figures> arms,
            Map<Fault, Map<Arm, Double>> shares,
            double rate)
            throws IOException {
        PageTemplate.write(file, Report.class, TEMPLATE, data(schedule, checkouts, arms, shares, rate));
    }

    static String data(
            Schedule schedule,
            List<Results.Timed> checkouts,
            Collection<Figures> arms,
            Map<Fault, Map<Arm, Double>> shares,
            double rate) {
        return "{\"rate\":%s,\"arms\":%s,\"blocks\":%s,\"windows\":%s,\"shares\":%s,\"points\":%s}"
                .formatted(
                        Json.number(rate),
                        list(arms, Report::arm),
                        list(
                                schedule.blocks(),
                                block -> "{\"arm\":%s,\"start\":%s,\"end\":%s}"
                                        .formatted(
                                                Json.quote(block.arm().label()),
                                                Json.number(block.start()),
                                                Json.number(block.end()))),
                        list(schedule.windows(), Report::window),
                        list(
                                shares.entrySet(),
                                entry -> "{\"fault\":%s,\"instance\":%s,\"arms\":%s}"
                                        .formatted(
                                                Json.quote(entry.getKey().label()),
                                                Json.quote(entry.getKey().instance()),
                                                Json.share(entry.getValue()))),
                        list(
                                checkouts,
                                checkout -> "[%s,%s,%d]"
                                        .formatted(
                                                Json.number(checkout.second()),
                                                Json.number(checkout.millis()),
                                                checkout.ok() ? 1 : 0)));
    }

    private static String window(Schedule.Window window) {
        return "{\"fault\":%s,\"instance\":%s,\"what\":%s,\"start\":%s,\"end\":%s}"
                .formatted(
                        Json.quote(window.fault().label()),
                        Json.quote(window.fault().instance()),
                        Json.quote(window.fault().description()),
                        Json.number(window.start()),
                        Json.number(window.end()));
    }

    /** The curve's points lie evenly on its logarithmic axis: 0 nines (the minimum) to 4 nines. */
    private static String arm(Figures arm) {
        List<Double> nines =
                DoubleStream.iterate(0, n -> n <= 4, n -> n + 0.05).boxed().toList();
        return "{\"name\":%s,\"requests\":%d,\"errors\":%d,\"p\":%s,\"curve\":%s}"
                .formatted(
                        Json.quote(arm.arm().label()),
                        arm.requests(),
                        arm.errors(),
                        list(List.of(50.0, 90.0, 99.0, 99.9), p -> Json.number(arm.millis(p))),
                        list(
                                nines,
                                n -> "[%s,%s]"
                                        .formatted(
                                                Json.number(n),
                                                Json.number(arm.millis(100 * (1 - Math.pow(10, -n)))))));
    }

    private static <T> String list(Collection<T> items, Function<T, String> format) {
        return items.stream().map(format).collect(Collectors.joining(",", "[", "]"));
    }
}

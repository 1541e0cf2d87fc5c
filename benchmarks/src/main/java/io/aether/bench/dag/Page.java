// SPDX-License-Identifier: Apache-2.0
package io.aether.bench.dag;

import io.aether.bench.PageTemplate;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** One page with everything in it: the figures as data, and the script that draws them. */
final class Page {

    private static final String TEMPLATE = "overload.html";

    private Page() {}

    static void write(Path file, List<Block> blocks) throws IOException {
        PageTemplate.write(file, Page.class, TEMPLATE, data(blocks));
    }

    static String data(List<Block> blocks) {
        Phases phases = blocks.get(0).phases();
        return "{\"step\":%s,\"stop\":%s,\"onset\":%s,\"capacity\":%s,\"objective\":%s,\"flows\":%s,\"limits\":%s}"
                .formatted(
                        number(phases.step()),
                        number(phases.stop()),
                        number(Phases.ONSET),
                        number(Flow.CAPACITY),
                        number(Flow.OBJECTIVE_MILLIS),
                        list(List.of(Flow.values()), flow -> flow(flow, blocks)),
                        list(List.of(Limits.values()), limits -> limits(new Figures(blocks, limits), limits)));
    }

    private static String limits(Figures figures, Limits limits) {
        return "{\"name\":\"%s\",\"used\":%s,\"calls\":%d,\"wasted\":%d}"
                .formatted(limits.label(), number(figures.used()), figures.calls(), figures.wasted());
    }

    private static String flow(Flow flow, List<Block> blocks) {
        return "{\"name\":\"%s\",\"priority\":\"%s\",\"touches\":%s,\"wanted\":%s,\"arms\":%s}"
                .formatted(
                        flow.label(),
                        flow.priority(),
                        flow.touches(),
                        perSecond(flow, blocks, answer -> true),
                        list(List.of(Limits.values()), limits -> arm(flow, blocks, limits)));
    }

    private static String arm(Flow flow, List<Block> blocks, Limits limits) {
        Figures figures = new Figures(blocks, limits);
        List<Block> own =
                blocks.stream().filter(block -> block.limits() == limits).toList();
        return "{\"name\":\"%s\",\"calm\":%s,\"overload\":%s,\"refused\":%s,\"p50\":%s,\"p99\":%s,\"good\":%s}"
                .formatted(
                        limits.label(),
                        number(figures.calm(flow)),
                        number(figures.overload(flow)),
                        number(figures.refused(flow)),
                        number(figures.millis(flow, true, 50)),
                        number(figures.millis(flow, true, 99)),
                        perSecond(flow, own, Answer::good));
    }

    /** Of each second of a block, by intended start, the mean over the blocks. */
    private static String perSecond(Flow flow, List<Block> blocks, Predicate<Answer> which) {
        double[] counts = new double[(int) Math.ceil(blocks.get(0).phases().stop())];
        for (Block block : blocks) {
            block.answers().stream()
                    .filter(answer -> answer.flow() == flow)
                    .filter(which)
                    .forEach(answer -> counts[(int) answer.second()] += 1.0 / blocks.size());
        }
        return list(Arrays.stream(counts).boxed().toList(), Page::number);
    }

    private static <T> String list(List<T> items, Function<T, String> format) {
        return items.stream().map(format).collect(Collectors.joining(",", "[", "]"));
    }

    private static String number(double value) {
        return String.format(Locale.ROOT, "%.3f", value);
    }
}

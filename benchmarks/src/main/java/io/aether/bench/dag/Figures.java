// SPDX-License-Identifier: Apache-2.0
package io.aether.bench.dag;

import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * What all blocks with the same limits came to. A request counts by when it was meant to start; what was not answered in time is
 * no goodput.
 */
final class Figures {

    private final List<Block> blocks;

    /** Of the blocks that had these limits. */
    Figures(List<Block> all, Limits limits) {
        this.blocks = all.stream().filter(block -> block.limits() == limits).toList();
    }

    /** Good ones among the flow's requests before the overload, 0 to 1. */
    double calm(Flow flow) {
        return share(flow, false, Answer::good);
    }

    /** Good ones among the flow's requests in the overload. */
    double overload(Flow flow) {
        return share(flow, true, Answer::good);
    }

    /** The flow's requests that were refused in the overload, by the gateway or by whoever it called. */
    double refused(Flow flow) {
        return share(flow, true, answer -> answer.status() == 503 || answer.status() == 429);
    }

    private double share(Flow flow, boolean overload, Predicate<Answer> which) {
        long all = answers(flow, overload).count();
        return all == 0 ? 0 : (double) answers(flow, overload).filter(which).count() / all;
    }

    /** Good answers a second in the overload. */
    double rate(Flow flow) {
        double seconds = blocks.stream()
                .mapToDouble(block -> block.phases().overload() - Phases.ONSET)
                .sum();
        return answers(flow, true).filter(Answer::good).count() / seconds;
    }

    /** Latency that this per cent of the flow's answers with status 200 do not exceed, in ms; 0 without any. */
    double millis(Flow flow, boolean overload, double percent) {
        double[] sorted = answers(flow, overload)
                .filter(answer -> answer.status() == 200)
                .mapToDouble(Answer::millis)
                .sorted()
                .toArray();
        return sorted.length == 0 ? 0 : sorted[(int) Math.min(sorted.length - 1, sorted.length * percent / 100)];
    }

    /** Calls done for requests that failed. */
    long wasted() {
        return blocks.stream().mapToLong(Block::wasted).sum();
    }

    /** Segments that the overloaded process's kernel marked. */
    long marks() {
        return blocks.stream().mapToLong(Block::marks).sum();
    }

    /** All calls done. */
    long calls() {
        return blocks.stream().mapToLong(Block::calls).sum();
    }

    /** Of the inventory's capacity, what went to requests that succeeded in the overload. */
    double used() {
        return (rate(Flow.CHECKOUT) + rate(Flow.STOCK)) / Flow.CAPACITY;
    }

    private Stream<Answer> answers(Flow flow, boolean overload) {
        return blocks.stream()
                .flatMap(block -> block.answers().stream()
                        .filter(answer -> answer.flow() == flow)
                        .filter(answer -> overload
                                ? block.phases().countsAsOverload(answer.second())
                                : block.phases().countsAsCalm(answer.second())));
    }
}

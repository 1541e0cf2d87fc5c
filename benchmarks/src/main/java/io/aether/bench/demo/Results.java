// SPDX-License-Identifier: Apache-2.0
package io.aether.bench.demo;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * All checkouts of a run. Latency counts from the intended start {@code t0 + index / rate}, so a generator that is held
 * up hides nothing. Thread-safe.
 */
final class Results {

    private final double rate;
    private final List<Checkout> checkouts = new ArrayList<>();

    Results(double rate) {
        this.rate = rate;
    }

    synchronized void add(Checkout checkout) {
        checkouts.add(checkout);
    }

    /**
     * When the load began on the monotonic clock: the earliest start that any checkout of the first {@code seconds}
     * implies, so that a late first one does not shorten all the others.
     */
    synchronized long t0(double seconds) {
        return checkouts.stream()
                .filter(checkout -> checkout.index() <= seconds * rate)
                .mapToLong(checkout -> checkout.sent() - offset(checkout))
                .min()
                .orElseThrow(() -> new IllegalStateException("no checkout was made"));
    }

    /** Every checkout in the order of its intended start, with times in relation to {@code t0}. */
    synchronized List<Timed> timed(long t0) {
        return checkouts.stream()
                .sorted(Comparator.comparingLong(Checkout::index))
                .map(checkout -> new Timed(
                        offset(checkout) / 1e9,
                        Math.max(0, checkout.done() - t0 - offset(checkout)) / 1e6,
                        checkout.ok()))
                .toList();
    }

    /** Figures of every arm over what its blocks count. */
    Map<Arm, Figures> figures(Schedule schedule) {
        Map<Arm, Figures> figures = new EnumMap<>(Arm.class);
        List<Timed> all = timed(t0(schedule.warmup()));
        for (Schedule.Block block : schedule.blocks()) {
            Figures of = figures.computeIfAbsent(block.arm(), Figures::new);
            all.stream().filter(checkout -> block.counts(checkout.second())).forEach(of::add);
        }
        return figures;
    }

    /** Figures of the last answers, for the live line. */
    synchronized Figures recent(Arm arm, long t0, int count) {
        Figures recent = new Figures(arm);
        for (int i = Math.max(0, checkouts.size() - count); i < checkouts.size(); i++) {
            Checkout checkout = checkouts.get(i);
            recent.add(new Timed(0, Math.max(0, checkout.done() - t0 - offset(checkout)) / 1e6, checkout.ok()));
        }
        return recent;
    }

    /** How late the generator sent its checkouts: that percentile, in milliseconds. */
    synchronized double lateMillis(long t0, double percent) {
        long[] late = checkouts.stream()
                .mapToLong(checkout -> checkout.sent() - t0 - offset(checkout))
                .sorted()
                .toArray();
        return late.length == 0 ? 0 : late[(int) Math.min(late.length - 1, late.length * percent / 100)] / 1e6;
    }

    synchronized int size() {
        return checkouts.size();
    }

    private long offset(Checkout checkout) {
        return (long) (checkout.index() * 1e9 / rate);
    }

    /**
     * A checkout on the run's own clock.
     *
     * @param second intended start in seconds from the first
     * @param millis from the intended start to the complete answer
     * @param ok whether it succeeded
     */
    record Timed(double second, double millis, boolean ok) {}
}

// SPDX-License-Identifier: Apache-2.0
package io.aether.bench.overload;

import io.aether.bench.Change;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/**
 * Bouts of the same row that met different arrivals and service times. Eight seconds of one draw hold a hard stretch or do
 * not, which decides what is refused; the median of some draws tells of the policy.
 */
final class Draws {
    private final List<Played> played;

    /** Of one row; at least one. */
    private Draws(List<Played> played) {
        this.played = played.stream()
                .sorted(Comparator.comparingLong(one -> one.bout().seed()))
                .toList();
    }

    /** One for each row, in the order of the rows' first bouts. */
    static List<Draws> of(List<Played> all) {
        Map<String, List<Played>> rows = new LinkedHashMap<>();
        all.forEach(one ->
                rows.computeIfAbsent(one.bout().row(), row -> new ArrayList<>()).add(one));
        return rows.values().stream().map(Draws::new).toList();
    }

    int count() {
        return played.size();
    }

    /** That of the first draw, which every policy plays. */
    Played first() {
        return played.get(0);
    }

    Bout bout() {
        return first().bout();
    }

    double median(ToDoubleFunction<Outcome> figure) {
        return Change.median(figures(figure));
    }

    double least(ToDoubleFunction<Outcome> figure) {
        return figures(figure).stream().mapToDouble(Double::doubleValue).min().orElseThrow();
    }

    double most(ToDoubleFunction<Outcome> figure) {
        return figures(figure).stream().mapToDouble(Double::doubleValue).max().orElseThrow();
    }

    private List<Double> figures(ToDoubleFunction<Outcome> figure) {
        return played.stream().map(one -> figure.applyAsDouble(one.outcome())).toList();
    }
}

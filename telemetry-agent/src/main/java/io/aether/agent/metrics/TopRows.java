// SPDX-License-Identifier: Apache-2.0
package io.aether.agent.metrics;

import io.prometheus.metrics.model.snapshots.Labels;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.function.BinaryOperator;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;

/**
 * Bounds a table of samples: the first {@code limit} by rank keep their labels, the rest become one row whose labels
 * all say {@code ~other}. Not thread-safe.
 */
final class TopRows<T> {
    static final String OTHER = "~other";

    private final int limit;
    private final ToDoubleFunction<T> rank;
    private final Function<T, long[]> counters;
    private final BinaryOperator<T> plus;
    private final BiFunction<T, long[], T> asOther;
    private final OtherTotals<Labels> totals;
    private Labels lastLabels = Labels.EMPTY;

    TopRows(
            int limit,
            int counterCount,
            ToDoubleFunction<T> rank,
            Function<T, long[]> counters,
            BinaryOperator<T> plus,
            BiFunction<T, long[], T> asOther) {
        this.limit = limit;
        this.rank = rank;
        this.counters = counters;
        this.plus = plus;
        this.asOther = asOther;
        this.totals = new OtherTotals<>(counterCount);
    }

    /**
     * The rows to show.
     *
     * @param live rows that may be shown by name
     * @param idle rows that may not; their counters still belong to the rest
     * @param nothing a row without any gauge, for when only totals are left
     */
    Map<Labels, T> rows(Map<Labels, T> live, Map<Labels, T> idle, T nothing) {
        List<Map.Entry<Labels, T>> ordered = live.entrySet().stream()
                .sorted(Comparator.<Map.Entry<Labels, T>>comparingDouble(row -> -rank.applyAsDouble(row.getValue())))
                .toList();
        List<Map.Entry<Labels, T>> named = ordered.subList(0, Math.min(limit, ordered.size()));
        List<Map.Entry<Labels, T>> rest = ordered.subList(named.size(), ordered.size());
        Map<Labels, long[]> restCounters = countersOf(idle.entrySet());
        restCounters.putAll(countersOf(rest));
        long[] sums = totals.update(countersOf(named), restCounters);

        Map<Labels, T> rows = new LinkedHashMap<>();
        named.forEach(row -> rows.put(row.getKey(), row.getValue()));
        if (totals.used()) {
            T sum = rest.stream().map(Map.Entry::getValue).reduce(plus).orElse(nothing);
            rows.put(other(live, idle), asOther.apply(sum, sums));
        }
        return rows;
    }

    private Map<Labels, long[]> countersOf(Iterable<Map.Entry<Labels, T>> rows) {
        Map<Labels, long[]> all = new HashMap<>();
        rows.forEach(row -> all.put(row.getKey(), counters.apply(row.getValue())));
        return all;
    }

    private Labels other(Map<Labels, T> live, Map<Labels, T> idle) {
        live.keySet().stream()
                .findAny()
                .or(() -> idle.keySet().stream().findAny())
                .ifPresent(any -> lastLabels = any);
        String[] values = new String[lastLabels.size()];
        Arrays.fill(values, OTHER);
        String[] names = new String[lastLabels.size()];
        for (int i = 0; i < names.length; i++) {
            names[i] = lastLabels.getName(i);
        }
        return Labels.of(names, values);
    }
}

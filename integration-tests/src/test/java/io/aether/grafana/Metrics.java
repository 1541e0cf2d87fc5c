// SPDX-License-Identifier: Apache-2.0
package io.aether.grafana;

import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Names of metrics: those that {@code docs/metrics.md} lists, as Prometheus sees them, and those in a query. */
final class Metrics {

    /** First two columns of a row of a table: a name in backticks, and a type. */
    private static final Pattern ROW = Pattern.compile("(?m)^\\| `([a-z][a-z0-9_.]+)` \\| (\\w+)(?:, (\\w+))?");

    /** What may be a metric in a query: a word that is no label, function or keyword. */
    private static final Pattern NAME = Pattern.compile("\\b[a-z]\\w*_\\w+\\b(?!\\s*\\()");

    private Metrics() {}

    static Set<String> documented() {
        return ROW.matcher(Repository.text("docs/metrics.md"))
                .results()
                .flatMap(row -> inPrometheus(row.group(1), row.group(2), row.group(3)))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** Micrometer's names have dots, and get their unit and kind at the end; the agent's are what they are. */
    private static Stream<String> inPrometheus(String name, String type, @Nullable String unit) {
        boolean ofMicrometer = name.contains(".");
        String base = name.replace('.', '_') + (unit == null ? "" : "_" + unit);
        return switch (type) {
            case "counter" -> Stream.of(ofMicrometer ? base + "_total" : base);
            case "timer" -> Stream.of(base + "_seconds_bucket", base + "_seconds_count", base + "_seconds_sum");
            case "histogram" -> Stream.of(base + "_bucket", base + "_count", base + "_sum");
            default -> Stream.of(base);
        };
    }

    /** Without what stands in braces, strings, and the lists of labels after {@code by}, {@code on} and the like. */
    static Set<String> in(String expression) {
        String bare = expression
                .replaceAll("\\{[^}]*}", "")
                .replaceAll("\"[^\"]*\"", "")
                .replaceAll("\\b(by|on|without|ignoring|group_left|group_right)\\s*\\([^)]*\\)", "")
                .replaceAll("\\bgroup_(left|right)\\b", "")
                .replaceAll("\\$\\w+", "");
        Set<String> names = new TreeSet<>();
        Matcher matcher = NAME.matcher(bare);
        while (matcher.find()) {
            names.add(matcher.group());
        }
        return names;
    }
}

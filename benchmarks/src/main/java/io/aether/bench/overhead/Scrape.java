// SPDX-License-Identifier: Apache-2.0
package io.aether.bench.overhead;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One answer of a Prometheus endpoint.
 *
 * @param samples series, with their labels as written, and values
 */
record Scrape(Map<String, Double> samples) {
    private static final Pattern PROGRAM = Pattern.compile("\\{probe=\"([^\"]*)\",program=\"([^\"]*)\"}");

    static Scrape parse(String text) {
        Map<String, Double> samples = new LinkedHashMap<>();
        text.lines().filter(line -> !line.startsWith("#")).forEach(line -> {
            int blank = line.lastIndexOf(' ');
            samples.put(line.substring(0, blank), Double.valueOf(line.substring(blank + 1)));
        });
        return new Scrape(samples);
    }

    /** A series' value; NaN when there is none. */
    double value(String series) {
        return samples.getOrDefault(series, Double.NaN);
    }

    /** All series of a metric, by their labels as written. */
    Map<String, Double> all(String metric) {
        Map<String, Double> found = new LinkedHashMap<>();
        samples.forEach((series, value) -> {
            if (series.startsWith(metric + "{")) {
                found.put(series.substring(metric.length()), value);
            }
        });
        return found;
    }

    /** Values of a metric by {@code probe/program}. */
    Map<String, Double> programs(String metric) {
        Map<String, Double> found = new LinkedHashMap<>();
        all(metric).forEach((labels, value) -> {
            Matcher matcher = PROGRAM.matcher(labels);
            if (matcher.matches()) {
                found.put(matcher.group(1) + "/" + matcher.group(2), value);
            }
        });
        return found;
    }
}

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
    private static final Pattern PROBE = Pattern.compile("[{,]probe=\"([^\"]*)\"");

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

    /**
     * All series of a metric.
     *
     * @param label the label that, after the probe's name and a slash, names the series
     */
    Map<String, Double> byProbe(String metric, String label) {
        Pattern name = Pattern.compile("[{,]" + label + "=\"([^\"]*)\"");
        Map<String, Double> found = new LinkedHashMap<>();
        samples.forEach((series, value) -> {
            Matcher probe = PROBE.matcher(series);
            Matcher rest = name.matcher(series);
            if (series.startsWith(metric + "{") && probe.find() && rest.find()) {
                found.put(probe.group(1) + "/" + rest.group(1), value);
            }
        });
        return found;
    }
}

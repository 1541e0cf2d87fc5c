// SPDX-License-Identifier: Apache-2.0
package io.aether.bench.start;

import static org.assertj.core.api.Assertions.assertThat;

import io.aether.bench.Report;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class ComparisonTests {

    @Test
    void comparesWithinPairs() {
        Comparison comparison = new Comparison();
        // The machine gets slower; the starter takes 100 ms, 110 ms and, once, something else's second.
        comparison.add(figures(1_100), figures(1_000));
        comparison.add(figures(3_110), figures(3_000));
        comparison.add(figures(6_000), figures(5_000));
        Report report = new Report("start");
        comparison.addTo(report, "shop");
        Map<String, Double> rows =
                report.rows().stream().collect(Collectors.toMap(Report.Row::name, Report.Row::value));

        assertThat(rows)
                .containsEntry("shop start with", 3_110.0)
                .containsEntry("shop start without", 3_000.0)
                .containsEntry("shop start cost", 110.0)
                .containsEntry("shop start cost from", 100.0)
                .containsEntry("shop start cost to", 1_000.0)
                .containsEntry("shop memory with", 50.0)
                .containsEntry("shop memory cost", 0.0)
                .containsEntry("shop pairs", 3.0);
    }

    private static Figures figures(double start) {
        return new Figures(start, 2 * start, 10, 20, 30, 200, 9_000);
    }
}

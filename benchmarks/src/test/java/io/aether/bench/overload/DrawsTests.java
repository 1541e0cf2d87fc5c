// SPDX-License-Identifier: Apache-2.0
package io.aether.bench.overload;

import static org.assertj.core.api.Assertions.assertThat;

import io.aether.bench.Report;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class DrawsTests {
    private static final Phases PHASES = new Phases(1, 1, 1, 1);

    @Test
    void aRowOfSeveralDrawsIsTheirMedianAndTellsTheWorst() {
        Report report = new Report("overload");
        Rows.add(
                report,
                List.of(
                        played(Policy.AETHER, 2, 0.99, 0.001),
                        played(Policy.AETHER, 0, 0.95, 0.045),
                        played(Policy.AETHER, 1, 0.97, 0.010),
                        played(Policy.SHED, 0, 1.00, 3.0)));
        Map<String, Double> rows =
                report.rows().stream().collect(Collectors.toMap(Report.Row::name, Report.Row::value));
        assertThat(rows)
                .containsEntry("goodput 4.0x 20 aether", 0.97)
                .containsEntry("least-goodput 4.0x 20 aether", 0.95)
                .containsEntry("refused 4.0x 20 aether", 1.0)
                .containsEntry("most-refused 4.0x 20 aether", 4.5)
                .containsEntry("refused 4.0x 20 shed", 300.0)
                .doesNotContainKey("most-refused 4.0x 20 shed");
    }

    @Test
    void barsHoldMediansAgainstThemAndRivalsAgainstTheDrawTheyMet() {
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        Bars bars = new Bars(
                List.of(
                        costly(Policy.AETHER, 0, 0.90),
                        costly(Policy.AETHER, 1, 0.99),
                        costly(Policy.AETHER, 2, 0.99),
                        costly(Policy.SHED, 0, 0.95)),
                true);
        bars.print(new PrintStream(printed, true, StandardCharsets.UTF_8));
        assertThat(printed.toString(StandardCharsets.UTF_8))
                .contains("2 bars, 1 missed")
                .contains("shed has goodput 0.950 and P99 150 ms, aether 0.900 and 150 ms");
    }

    private static Played played(Policy policy, long seed, double goodput, double refused) {
        return played(new Bout(policy, 20, 4, false, Mix.EQUAL, seed, PHASES), goodput, refused);
    }

    private static Played costly(Policy policy, long seed, double goodput) {
        return played(new Bout(policy, 20, 4, true, Mix.EQUAL, seed, PHASES), goodput, 0);
    }

    private static Played played(Bout bout, double goodput, double refused) {
        return new Played(
                bout, new Outcome(goodput, 150, refused, 1, 0, 0, 1, Map.of()), new Timeline(List.of()), 0, 0);
    }
}

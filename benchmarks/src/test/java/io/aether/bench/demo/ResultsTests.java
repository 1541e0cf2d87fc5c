// SPDX-License-Identifier: Apache-2.0
package io.aether.bench.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ResultsTests {

    private static final double RATE = 10;
    private static final long T0 = 5_000_000_000L;
    private static final List<Arm> ARMS = List.of(Arm.ROUND_ROBIN, Arm.KERNEL);

    private final Schedule schedule = Schedule.of(ARMS, Set.of(), 40);
    private final Results results = new Results(RATE);

    @Test
    void latencyCountsFromTheIntendedStart() {
        results.add(checkout(0, 0, 10, true));
        results.add(checkout(1, 900, 1_000, true));
        assertThat(results.timed(results.t0(20)))
                .containsExactly(new Results.Timed(0, 10, true), new Results.Timed(0.1, 1_000 - 100, true));
    }

    @Test
    void aLateFirstCheckoutDoesNotShortenTheOthers() {
        results.add(checkout(0, 80, 90, true));
        results.add(checkout(1, 100, 130, true));
        assertThat(results.t0(20)).isEqualTo(T0);
    }

    @Test
    void percentilesAreOverSuccessesAndErrorsApart() {
        Figures figures = new Figures(Arm.KERNEL);
        for (int i = 1; i <= 1_000; i++) {
            figures.add(new Results.Timed(0, i, true));
        }
        for (int i = 0; i < 50; i++) {
            figures.add(new Results.Timed(0, 1, false));
        }
        assertThat(figures.requests()).isEqualTo(1_050);
        assertThat(figures.errors()).isEqualTo(50);
        assertThat(figures.millis(50)).isCloseTo(500, within(1.0));
        assertThat(figures.millis(90)).isCloseTo(900, within(1.0));
        assertThat(figures.millis(99)).isCloseTo(990, within(1.0));
        assertThat(figures.millis(99.9)).isCloseTo(999, within(1.0));
        assertThat(new Figures(Arm.KERNEL).millis(99)).isZero();
    }

    @Test
    void everyArmGetsItsOwnBlocksWithoutTheirBegin() {
        for (int i = 0; i < schedule.end() * RATE; i++) {
            results.add(checkout(i, i * 100L, i * 100L + (arm(i) == Arm.KERNEL ? 20 : 60), true));
        }
        Map<Arm, Figures> figures = results.figures(schedule);
        assertThat(figures.keySet()).containsExactlyElementsOf(ARMS);
        assertThat(figures.get(Arm.KERNEL).millis(100)).isCloseTo(20, within(0.1));
        assertThat(figures.get(Arm.ROUND_ROBIN).millis(50)).isCloseTo(60, within(0.1));
        assertThat(figures.get(Arm.KERNEL).requests()).isEqualTo(Math.round(2 * (10 - Schedule.SETTLE) * RATE));
    }

    @Test
    void jsonHasItsDocumentedForm() {
        Figures figures = new Figures(Arm.ROUND_ROBIN);
        figures.add(new Results.Timed(0, 12.5, true));
        figures.add(new Results.Timed(0, 1, false));
        assertThat(Json.of(List.of(figures), Map.of(Fault.PAUSE, Map.of(Arm.ROUND_ROBIN, 1 / 3.0)), 330, 20))
                .isEqualTo("{\"arms\":[{\"name\":\"round-robin\",\"requests\":2,\"errors\":1,\"p50_ms\":12.503,"
                        + "\"p90_ms\":12.503,\"p99_ms\":12.503,\"p999_ms\":12.503}],"
                        + "\"shares\":{\"catalog-1\":{\"round-robin\":0.333}},\"seconds\":330,\"rate\":20.0}"
                        + System.lineSeparator());
    }

    @Test
    void theTableComparesWithRoundRobin() {
        Figures base = new Figures(Arm.ROUND_ROBIN);
        Figures kernel = new Figures(Arm.KERNEL);
        base.add(new Results.Timed(0, 200, true));
        base.add(new Results.Timed(0, 200, false));
        kernel.add(new Results.Timed(0, 50, true));
        String table =
                Table.of(List.of(base, kernel), Map.of(Fault.LINK, Map.of(Arm.ROUND_ROBIN, 0.333, Arm.KERNEL, 0.01)));
        assertThat(table).contains("against round robin", "-75%", "-1\n", "model-1 (link)", "33.3%", "1.0%");
    }

    @Test
    void theReportHoldsItsDataAndNeedsNothingElse(@TempDir Path directory) throws Exception {
        results.add(checkout(0, 0, 10, true));
        Path page = directory.resolve("report.html");
        Schedule faulty = Schedule.of(ARMS, EnumSet.allOf(Fault.class), 40);
        Report.write(page, faulty, results.timed(T0), results.figures(faulty).values(), Map.of(), RATE);
        assertThat(Files.readString(page))
                .contains("\"points\":[[0.0,10.0,1]]", "\"fault\":\"pause\"")
                .doesNotContain("/*DATA*/", "src=", "href=", "@import", "url(");
    }

    @Test
    void aCheckoutSurvivesItsLine() {
        Checkout checkout = checkout(7, 700, 712, false);
        assertThat(Checkout.parse(checkout.line())).isEqualTo(checkout);
        assertThat(Checkout.parse("Simulation started")).isNull();
        assertThat(Checkout.parse("checkout a b c d")).isNull();
    }

    private Arm arm(int index) {
        return schedule.blocks().stream()
                .filter(block -> index / RATE >= block.start() && index / RATE < block.end())
                .map(Schedule.Block::arm)
                .findFirst()
                .orElse(Arm.ROUND_ROBIN);
    }

    private static Checkout checkout(long index, long sentMillis, long doneMillis, boolean ok) {
        return new Checkout(index, T0 + sentMillis * 1_000_000, T0 + doneMillis * 1_000_000, ok);
    }
}

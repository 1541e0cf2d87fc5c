// SPDX-License-Identifier: Apache-2.0
package io.aether.bench.dag;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.aether.bench.Report;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What is counted, and held against the bars. */
class FiguresTests {

    private static final Phases PHASES = new Phases(8, 12);

    @Test
    void onlySettledPartsCount() {
        Figures figures = new Figures(
                List.of(block(
                        Limits.ON,
                        0,
                        answer(Flow.CART, 1, 10, 500),
                        answer(Flow.CART, 5, 10, 200),
                        answer(Flow.CART, 9, 10, 500),
                        answer(Flow.CART, 11, 30, 200),
                        answer(Flow.CART, 12, 1501, 200),
                        answer(Flow.CART, 13, 3, 503),
                        answer(Flow.CART, 14, 3000, 0))),
                Limits.ON);
        assertThat(figures.calm(Flow.CART)).isEqualTo(1);
        assertThat(figures.overload(Flow.CART)).isEqualTo(0.25);
        assertThat(figures.refused(Flow.CART)).isEqualTo(0.25);
        assertThat(figures.rate(Flow.CART)).isCloseTo(0.1, within(1e-9));
        assertThat(figures.millis(Flow.CART, true, 50)).isEqualTo(1501);
        assertThat(figures.overload(Flow.PROFILE)).isZero();
    }

    @Test
    void callsOfRequestsThatFailedAreWasted() {
        Block block = block(
                Limits.OFF,
                70,
                answer(Flow.CHECKOUT, 5, 100, 200),
                answer(Flow.STOCK, 10, 100, 200),
                answer(Flow.STOCK, 10, 2000, 200),
                answer(Flow.CHECKOUT, 10, 3000, 0));
        assertThat(block.wasted()).isEqualTo(70 - 45 - 9);
    }

    @Test
    void missesAreNamed() {
        List<Block> blocks = new ArrayList<>();
        for (Limits limits : Limits.values()) {
            List<Answer> answers = new ArrayList<>();
            for (Flow flow : Flow.values()) {
                answers.add(answer(flow, 5, 10, 200));
                boolean fails = limits == Limits.ON && flow == Flow.CART;
                answers.add(answer(flow, 12, 10, fails ? 503 : 200));
            }
            for (int second = 13; second < 16; second++) {
                answers.add(answer(Flow.STOCK, second, 10, 200)); // Above the floor.
            }
            blocks.add(new Block(limits, PHASES, answers, limits == Limits.OFF ? 1000 : 130, 7));
        }
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        Bars bars = new Bars(blocks);
        bars.print(new PrintStream(out));
        assertThat(out.toString()).contains("6 bars, 1 missed", "innocence cart: 0.000, bar 0.98");
        Report report = new Report("dag");
        bars.addTo(report);
        assertThat(report.rows())
                .extracting(Report.Row::name)
                .contains("goodput checkout on", "wasted off", "marked on");
    }

    private static Answer answer(Flow flow, double second, double millis, int status) {
        return new Answer(flow, second, millis, status);
    }

    private static Block block(Limits limits, long calls, Answer... answers) {
        return new Block(limits, PHASES, List.of(answers), calls, 0);
    }
}

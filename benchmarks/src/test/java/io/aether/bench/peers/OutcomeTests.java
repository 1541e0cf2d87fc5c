// SPDX-License-Identifier: Apache-2.0
package io.aether.bench.peers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.aether.bench.Report;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.Test;

class OutcomeTests {
    private static Samples of(int millis) {
        return new Samples(new int[] {1000 * millis}, 0, 0, 0);
    }

    @Test
    void namesEveryCaseInWhichAetherIsNotBelowAPeer() {
        Outcome outcome = new Outcome(Map.of(
                Fault.PAUSE,
                Map.of(
                        Policy.ROUND_ROBIN, of(300),
                        Policy.FINAGLE, of(40),
                        Policy.STORK, of(49),
                        Policy.AETHER_APPLICATION, of(50),
                        Policy.AETHER_KERNEL, of(30))));
        assertThat(outcome.losses())
                .containsExactlyInAnyOrder(
                        "pause aether-application P99 50.0 ms, finagle 40.0 ms",
                        "pause aether-application P99.9 50.0 ms, finagle 40.0 ms",
                        "pause aether-application P99 50.0 ms, stork 49.0 ms: tied",
                        "pause aether-application P99.9 50.0 ms, stork 49.0 ms: tied");
    }

    @Test
    void equalOrUnknownIsNotBelow() {
        Outcome outcome = new Outcome(Map.of(
                Fault.NONE, Map.of(Policy.STORK, of(10), Policy.NGINX, Samples.NONE, Policy.AETHER_KERNEL, of(10))));
        assertThat(outcome.losses()).hasSize(4);
    }

    @Test
    void saysNothingOfCasesThatWereNotPlayed() {
        assertThat(said(Map.of(Policy.STORK, of(10), Policy.NGINX, of(9)))).contains("nothing to compare");
        assertThat(said(Map.of(Policy.AETHER_KERNEL, of(9)))).contains("nothing to compare");
        assertThat(said(Map.of(Policy.STORK, of(10), Policy.AETHER_KERNEL, of(9))))
                .contains("below every peer");
        assertThat(said(Map.of(Policy.STORK, of(9), Policy.AETHER_KERNEL, of(10))))
                .contains("not below a peer: 2 cases");
    }

    private static String said(Map<Policy, Samples> policies) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        new Outcome(Map.of(Fault.NONE, policies)).print(new PrintStream(out, true, StandardCharsets.UTF_8));
        return out.toString(StandardCharsets.UTF_8);
    }

    @Test
    void rowsAreNamedByFaultAndPolicy() {
        Report report = new Report("peers");
        new Outcome(Map.of(Fault.NONE, Map.of(Policy.AETHER_KERNEL, of(10)))).addTo(report);
        assertThat(report.rows())
                .contains(
                        new Report.Row("none aether-kernel p99", 10, "ms"),
                        new Report.Row("none aether-kernel p999", 10, "ms"),
                        new Report.Row("none aether-kernel errors", 0, "%"));
    }

    @Test
    void listsAreReadInTheOrderOfAll() {
        assertThat(Options.list("--faults", "errors,pause", Fault.values(), Fault::label))
                .containsExactly(Fault.PAUSE, Fault.ERRORS);
        assertThatThrownBy(() -> Options.list("--faults", "rain", Fault.values(), Fault::label))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'rain'")
                .hasMessageContaining("restart");
    }

    @Test
    void blocksGoOverTheWire() {
        Block block = new Block(1000, 500, 1800, 7);
        assertThat(Block.parse(block.line())).isEqualTo(block);
    }
}

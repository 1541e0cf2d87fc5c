// SPDX-License-Identifier: Apache-2.0
package io.aether.sample;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class GraphTests {

    private static final Map<String, String> KINDS = Map.of(
            "db",
            "db",
            "cache",
            "cache",
            "carrier",
            "external",
            "tax-office",
            "external",
            "psp",
            "external",
            "outbox",
            "queue");

    @Test
    void aCheckoutIs45Calls() {
        assertThat(Graph.calls(Graph.ROOT)).isEqualTo(45);
        assertThat(Graph.services().get(Graph.ROOT).calls()).isEqualTo(12);
    }

    @Test
    void theCallsAreOfTheDesignedKinds() {
        assertThat(kinds(Graph.ROOT))
                .containsExactlyInAnyOrderEntriesOf(
                        Map.of("rpc", 26L, "db", 8L, "cache", 6L, "external", 4L, "queue", 1L));
    }

    @Test
    void theGraphIsFiveServicesDeep() {
        assertThat(depth(Graph.ROOT) + 1).isEqualTo(5);
    }

    @Test
    void onlyTheLastStageOfTheRootIsOptional() {
        assertThat(Graph.services().values().stream()
                        .flatMap(service -> service.stages().stream())
                        .filter(Service.Stage::optional))
                .containsExactly(new Service.Stage(List.of("notify", "recommend", "analytics"), true));
    }

    @Test
    void anUnknownServiceIsNamed() {
        assertThatThrownBy(() -> Graph.calls("nothing")).hasMessageContaining("'nothing'");
    }

    @Test
    void drawsHaveTheirMeanAndSpread() {
        ServiceTime time = ServiceTime.of(10, 0.5);
        Random random = new Random(7);
        double[] millis = IntStream.range(0, 200_000)
                .mapToDouble(i -> time.draw(random).toNanos() / 1e6)
                .toArray();
        double mean = IntStream.range(0, millis.length)
                .mapToDouble(i -> millis[i])
                .average()
                .orElseThrow();
        double variance = IntStream.range(0, millis.length)
                .mapToDouble(i -> (millis[i] - mean) * (millis[i] - mean))
                .average()
                .orElseThrow();
        assertThat(mean).isBetween(9.9, 10.1);
        assertThat(Math.sqrt(variance) / mean).isBetween(0.48, 0.52);
    }

    @Test
    void aSlowShareLiftsTheMeanByItsFactor() {
        ServiceTime time = ServiceTime.of(10, 0.5).slower(0.1, 11);
        Random random = new Random(7);
        assertThat(IntStream.range(0, 200_000)
                        .mapToDouble(i -> time.draw(random).toNanos() / 1e6)
                        .average()
                        .orElseThrow())
                .isBetween(19.0, 21.0);
    }

    private static Map<String, Long> kinds(String id) {
        return all(id).collect(Collectors.groupingBy(call -> KINDS.getOrDefault(call, "rpc"), Collectors.counting()));
    }

    private static Stream<String> all(String id) {
        return Stream.concat(
                Stream.of(id),
                Graph.services().get(id).stages().stream()
                        .flatMap(stage -> stage.calls().stream())
                        .flatMap(GraphTests::all));
    }

    private static int depth(String id) {
        return 1
                + Graph.services().get(id).stages().stream()
                        .flatMap(stage -> stage.calls().stream())
                        .mapToInt(GraphTests::depth)
                        .max()
                        .orElse(0);
    }
}

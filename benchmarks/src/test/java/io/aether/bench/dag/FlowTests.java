// SPDX-License-Identifier: Apache-2.0
package io.aether.bench.dag;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.aether.bench.demo.Topology.Node;
import io.aether.sample.Graph;
import io.aether.sample.Service;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The flows and processes against the graph that they are of. */
class FlowTests {

    @Test
    void callsAreThoseOfTheGraph() {
        for (Flow flow : Flow.values()) {
            assertThat(flow.calls()).as(flow.label()).isEqualTo(Graph.calls(flow.service()));
            assertThat(flow.touches())
                    .as(flow.label())
                    .isEqualTo(reachable(flow.service()).contains("shard"));
        }
    }

    @Test
    void theOverloadIsTwiceWhatTheInventoryCanServe() {
        double calm = Flow.CHECKOUT.rate(false) + Flow.STOCK.rate(false);
        double overload = Flow.CHECKOUT.rate(true) + Flow.STOCK.rate(true);
        assertThat(calm).isLessThan(0.75 * Flow.CAPACITY);
        assertThat(overload).isCloseTo(2 * Flow.CAPACITY, within(0.01));
    }

    @Test
    void everyServiceHasOneProcess() {
        List<String> served = Places.topology().nodes().stream()
                .map(Node::services)
                .flatMap(List::stream)
                .toList();
        assertThat(served)
                .doesNotHaveDuplicates()
                .containsExactlyInAnyOrderElementsOf(Graph.services().keySet());
    }

    @Test
    void theGatewayKnowsEveryFlow(@TempDir Path directory) throws Exception {
        String routes = Files.readString(Places.writeRoutes(directory.resolve("routes")));
        assertThat(routes)
                .contains("routes[1].uri=lb://inventory", "routes[1].metadata.aether-priority=bulk", "Path=/cart");
    }

    @Test
    void bothBlocksOfAPairMeetTheSameRequests() {
        Phases phases = new Phases(8, 12);
        List<Arrival> arrivals = Arrival.of(phases, 1);
        assertThat(Arrival.of(phases, 1)).isEqualTo(arrivals);
        assertThat(Arrival.of(phases, 2)).isNotEqualTo(arrivals);
        assertThat(rate(arrivals, Flow.STOCK, 0, 8)).isCloseTo(2.5, within(2.0));
        assertThat(rate(arrivals, Flow.STOCK, 8, 20)).isCloseTo(20, within(5.0));
        assertThat(rate(arrivals, Flow.CHECKOUT, 8, 20)).isCloseTo(5, within(3.0));
        assertThat(arrivals).allSatisfy(arrival -> assertThat(arrival.second()).isBetween(0.0, 20.0));
    }

    private static double rate(List<Arrival> arrivals, Flow flow, double from, double to) {
        return arrivals.stream()
                        .filter(arrival -> arrival.flow() == flow)
                        .filter(arrival -> arrival.second() >= from && arrival.second() < to)
                        .count()
                / (to - from);
    }

    private static Set<String> reachable(String id) {
        Set<String> found = new HashSet<>(Set.of(id));
        for (Service.Stage stage : Graph.services().get(id).stages()) {
            stage.calls().forEach(call -> found.addAll(reachable(call)));
        }
        return found;
    }
}

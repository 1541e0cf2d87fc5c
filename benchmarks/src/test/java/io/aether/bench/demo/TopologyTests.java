// SPDX-License-Identifier: Apache-2.0
package io.aether.bench.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.aether.bench.Cleanup;
import io.aether.bench.PrerequisiteException;
import io.aether.sample.Graph;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class TopologyTests {

    private final Topology topology = Topology.of(Map.of("model-1", "10.231.1.2"));

    @Test
    void everyServiceOfTheGraphIsServed() {
        assertThat(topology.services())
                .containsExactlyInAnyOrderElementsOf(Graph.services().keySet());
    }

    @Test
    void everyFaultHitsAServiceOfItsOwnWithThreeInstances() {
        assertThat(List.of(Fault.values())).extracting(Fault::service).doesNotHaveDuplicates();
        for (Fault fault : Fault.values()) {
            assertThat(topology.instances(fault.service())).hasSize(3).contains(topology.node(fault.instance()));
        }
    }

    @Test
    void theInstanceBehindTheLinkCallsNobody() {
        assertThat(Graph.services().get(Fault.LINK.service()).calls()).isZero();
        assertThat(topology.node("model-1").url("/model")).startsWith("http://10.231.1.2:");
    }

    @Test
    void discoveryListsEveryInstanceOnce() {
        assertThat(topology.discovery())
                .containsEntry("spring.cloud.discovery.client.simple.instances.catalog[2].instance-id", "catalog-3")
                .containsEntry(
                        "spring.cloud.discovery.client.simple.instances.psp[1].uri",
                        topology.node("leaf-2").url(""));
        assertThat(topology.nodes()).extracting(Topology.Node::port).doesNotHaveDuplicates();
    }

    @Test
    void aTakenPortIsNamedWithItsFix() throws Exception {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            assertThatThrownBy(() -> Preflight.checkFree(taken.getLocalPort(), "the gateway"))
                    .isInstanceOf(PrerequisiteException.class)
                    .hasMessageContaining("port " + taken.getLocalPort(), "the gateway", "ss -ltnp");
        }
    }

    @Test
    void cleaningUpGoesBackwardsOnceAndPastFailures() {
        List<String> undone = new ArrayList<>();
        Cleanup cleanup = new Cleanup(System.out);
        cleanup.add(() -> undone.add("first"));
        cleanup.add(() -> {
            throw new IllegalStateException("on purpose");
        });
        cleanup.add(() -> undone.add("last"));
        cleanup.close();
        cleanup.close();
        cleanup.add(() -> undone.add("late"));
        assertThat(undone).containsExactly("last", "first", "late");
    }
}

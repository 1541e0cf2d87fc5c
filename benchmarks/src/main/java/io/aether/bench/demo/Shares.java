// SPDX-License-Identifier: Apache-2.0
package io.aether.bench.demo;

import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Traffic share of each faulted instance while its fault is active, per arm, from the instances' own counts. Used by
 * one thread; read after it has ended.
 */
final class Shares {

    private final Cluster cluster;
    private final Map<Fault, Map<Arm, long[]>> counts = new EnumMap<>(Fault.class);
    private final Map<String, Long> before = new HashMap<>();

    Shares(Cluster cluster) {
        this.cluster = cluster;
    }

    /** Remembers the counts at the begin of a fault. A restarted process counts from 0. */
    void begin(Fault fault) {
        for (Topology.Node node : nodes(fault)) {
            boolean fromZero = fault == Fault.RESTART && node.name().equals(fault.instance());
            before.put(node.name(), fromZero ? 0 : served(fault, node));
        }
    }

    /** Adds what was served since the begin to the arm. */
    void end(Fault fault, Arm arm) {
        long[] sums =
                counts.computeIfAbsent(fault, key -> new EnumMap<>(Arm.class)).computeIfAbsent(arm, key -> new long[2]);
        for (Topology.Node node : nodes(fault)) {
            long served = Math.max(0, served(fault, node) - before.getOrDefault(node.name(), 0L));
            sums[0] += node.name().equals(fault.instance()) ? served : 0;
            sums[1] += served;
        }
    }

    /** By fault and arm, 0 to 1; 1/3 would be even. */
    Map<Fault, Map<Arm, Double>> byFault() {
        Map<Fault, Map<Arm, Double>> shares = new EnumMap<>(Fault.class);
        counts.forEach((fault, arms) ->
                arms.forEach((arm, sums) -> shares.computeIfAbsent(fault, key -> new EnumMap<>(Arm.class))
                        .put(arm, sums[1] == 0 ? 0 : (double) sums[0] / sums[1])));
        return shares;
    }

    private List<Topology.Node> nodes(Fault fault) {
        return cluster.topology().instances(fault.service());
    }

    private long served(Fault fault, Topology.Node node) {
        return cluster.control().served(node).getOrDefault(fault.service(), 0L);
    }
}

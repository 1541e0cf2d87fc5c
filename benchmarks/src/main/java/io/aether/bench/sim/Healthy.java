// SPDX-License-Identifier: Apache-2.0
package io.aether.bench.sim;

import java.util.List;
import java.util.function.Supplier;

/** Fleets that nothing is wrong with. The cases where a clever balancer can only lose. */
final class Healthy {
    private Healthy() {}

    static List<Scenario> all() {
        return List.of(
                quiet("healthy-3x1-slow", () -> small(1, 5)),
                quiet("healthy-3x1", () -> small(1, 20)),
                quiet("healthy-3x5", () -> small(5, 40)),
                shared("healthy-shared-cpu-3x1", () -> busy(1, 20), 0.75),
                shared("healthy-shared-cpu-3x5", () -> busy(5, 40), 0.75),
                shared("healthy-shared-cpu-3x5-bursts", () -> bursts(busy(5, 60)), 0.6),
                graph("healthy-graph-10", 10),
                graph("healthy-graph-14", 14),
                loaded("healthy-4x4-70", 4, 4, 0.7),
                loaded("healthy-4x4-90", 4, 4, 0.9),
                loaded("healthy-10x10-70", 10, 10, 0.7),
                loaded("healthy-10x10-90", 10, 10, 0.9),
                loaded("healthy-20x60-70", 20, 60, 0.7),
                loaded("healthy-20x60-90", 20, 60, 0.9));
    }

    private static Plan small(int clients, double rate) {
        return new Plan().fleet(3, clients).work(4, 2, 1).rate(rate);
    }

    /** Three event loops on two processors with others, clients on the same machine; half of the work is processor time. */
    private static Plan busy(int clients, double rate) {
        Plan plan = new Plan().fleet(3, clients).work(1, 5, 1).rate(rate);
        plan.together = true;
        plan.processorShare = 0.5;
        plan.clientsPerNode = clients;
        return plan;
    }

    private static Plan bursts(Plan plan) {
        plan.burst = 3;
        return plan;
    }

    private static Scenario quiet(String name, Supplier<Plan> plan) {
        return new Scenario(name, true, 600, 0, plan, (world, seconds) -> {});
    }

    /** Ten other busy processes keep a share of both processors busy. */
    private static Scenario shared(String name, Supplier<Plan> plan, double share) {
        return new Scenario(name, true, 600, 0, plan, (world, seconds) -> {
            Processor processor = java.util.Objects.requireNonNull(world.processor);
            for (int i = 0; i < 10; i++) {
                processor.noise(world.fate, 2 * share / 10, 4 * Agenda.MILLI);
            }
        });
    }

    /** The checkout graph with everything on two processors: the demo without faults, at half load and near its limit. */
    private static Scenario graph(String name, double perSecond) {
        return new Scenario(
                name, true, 600, 0, () -> Graph.plan(3, perSecond), (world, seconds) -> Graph.wire(world, 3));
    }

    private static Scenario loaded(String name, int servers, int clients, double load) {
        Supplier<Plan> plan = () -> new Plan().fleet(servers, clients).load(load);
        return new Scenario(name, true, 200.0 * 4 / servers, 0, plan, (world, seconds) -> {});
    }
}

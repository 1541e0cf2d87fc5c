// SPDX-License-Identifier: Apache-2.0
package io.aether.bench.sim;

import io.aether.bench.sim.policy.Ending;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/**
 * The checkout of 45 calls, as the sample services make them: own work first, then stage by stage, the last stage of
 * {@code checkout} without waiting. A checkout is as slow as the slowest of every stage, so one slow instance of one service
 * shows in most of them.
 */
final class Graph {
    /** Processor time of one call, all layers together, in ms; measured on the demo: 110 ms for 45 calls. */
    static final double PROCESSOR_MILLIS = 2.4;

    private final Map<String, Service> services = new LinkedHashMap<>();
    private int instances;

    /** A service: mean of its own waits in ms, their variation, how many instances, and its calls. */
    private record Service(int first, int count, double waitMillis, double variation, List<List<String>> stages) {}

    private Graph(int replicas) {
        add("checkout", 1, 2, 1, "auth cart profile", "pricing inventory shipping fraud", "payment", "order");
        add("auth", 1, 2, 1, "cache");
        add("cart", 1, 2, 1, "cache", "db", "catalog catalog catalog");
        add("profile", 1, 2, 1, "cache", "db");
        add("pricing", 1, 2, 1, "promo tax catalog fx");
        add("promo", 1, 2, 1, "cache", "db");
        add("tax", 1, 2, 1, "tax-office");
        add("inventory", 1, 2, 1, "shard shard shard shard");
        add("shard", replicas, 2, 1, "db");
        add("shipping", 1, 2, 1, "carrier carrier");
        add("fraud", 1, 2, 1, "cache cache", "model");
        add("payment", 1, 2, 1, "psp", "ledger");
        add("order", 1, 2, 1, "db", "outbox");
        add("fx", 1, 2, 1);
        add("ledger", 1, 2, 1);
        add("catalog", replicas, 2, 1);
        add("model", replicas, 8, 1);
        add("cache", 2, 0.4, 0.5);
        add("db", 2, 1, 2);
        add("carrier", replicas, 6, 0.7);
        add("tax-office", replicas, 6, 0.7);
        add("psp", 2, 15, 0.7);
        add("outbox", 2, 2, 1);
    }

    private void add(String name, int count, double waitMillis, double variation, String... stages) {
        List<List<String>> calls =
                Arrays.stream(stages).map(stage -> List.of(stage.split(" "))).toList();
        services.put(name, new Service(instances, count, waitMillis, variation, calls));
        instances += count;
    }

    /** The plan of a graph whose interesting services have so many instances. */
    static Plan plan(int replicas, double checkoutsPerSecond) {
        Plan plan = new Plan().fleet(new Graph(replicas).instances, 1).rate(checkoutsPerSecond);
        plan.workers = 2; // Event loops: one per processor.
        plan.together = true;
        plan.processorShare = 1;
        plan.listed = 1;
        return plan;
    }

    /** First instance of a service. */
    static int first(int replicas, String service) {
        return Objects.requireNonNull(new Graph(replicas).services.get(service)).first;
    }

    /** Makes the world's servers the graph's instances. */
    static void wire(World world, int replicas) {
        Graph graph = new Graph(replicas);
        graph.services
                .values()
                .forEach(service -> IntStream.range(service.first, service.first + service.count)
                        .forEach(i -> graph.equip(world, world.servers[i], service)));
    }

    private void equip(World world, Server server, Service service) {
        server.works(service.waitMillis, service.variation, PROCESSOR_MILLIS);
        if (service.stages.isEmpty()) {
            return;
        }
        Map<String, Caller> callers = new LinkedHashMap<>();
        service.stages.stream()
                .flatMap(List::stream)
                .forEach(name -> callers.computeIfAbsent(name, key -> {
                    Service callee = Objects.requireNonNull(services.get(key));
                    Caller caller = world.caller(server.index * 100 + callers.size() + 1, 0, 5);
                    caller.policy.list(IntStream.range(callee.first, callee.first + callee.count)
                            .toArray());
                    return caller;
                }));
        List<List<Caller>> stages = new ArrayList<>();
        service.stages.forEach(stage -> stages.add(stage.stream()
                .map(name -> Objects.requireNonNull(callers.get(name)))
                .toList()));
        server.downstream = done -> stage(stages, 0, done);
    }

    private static void stage(List<List<Caller>> stages, int index, Consumer<Boolean> done) {
        if (index == stages.size()) {
            done.accept(false);
            return;
        }
        List<Caller> calls = stages.get(index);
        int[] open = {calls.size(), 0};
        for (Caller caller : calls) {
            caller.send(1, ending -> {
                open[1] += ending == Ending.OK ? 0 : 1;
                if (--open[0] == 0) {
                    if (open[1] > 0) {
                        done.accept(true);
                    } else {
                        stage(stages, index + 1, done);
                    }
                }
            });
        }
    }
}

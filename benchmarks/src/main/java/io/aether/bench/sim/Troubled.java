// SPDX-License-Identifier: Apache-2.0
package io.aether.bench.sim;

import static io.aether.bench.sim.Agenda.MILLI;
import static io.aether.bench.sim.Agenda.SECOND;

import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/** Servers that are slow, stop, or fail. */
final class Troubled {

    private Troubled() {}

    static List<Scenario> all() {
        return List.of(
                scenario("antagonists-10x10", 80, 0, () -> fleet(10, 10, 0.7), Troubled::antagonists),
                scenario("antagonists-20x60", 40, 0, () -> fleet(20, 60, 0.6), Troubled::antagonists),
                scenario("half-twice-as-slow", 80, 5, () -> fleet(10, 10, 0.6), (world, seconds) -> slow(world, 5, 2)),
                scenario("one-of-4-slow", 200, 1, () -> fleet(4, 4, 0.4), Troubled::slowOne),
                scenario("two-of-4-slow", 200, 2, () -> fleet(4, 4, 0.3), (world, seconds) -> slow(world, 2, 10)),
                scenario("low-rate-one-slow", 600, 1, () -> lowRate(10, 60, 120), Troubled::slowOne),
                scenario("pause-300ms", 240, 1, () -> fleet(4, 4, 0.3), Troubled::pauses),
                scenario("pause-300ms-low-rate", 600, 1, () -> lowRate(3, 5, 40), Troubled::pauses),
                scenario("quota", 240, 1, () -> together(fleet(3, 5, 0.2)), Troubled::quota),
                scenario(
                        "squeezed-link",
                        240,
                        1,
                        () -> fleet(4, 4, 0.3),
                        (world, seconds) -> world.wire.spoil(0, 20 * MILLI, 0.03)),
                scenario("restart-cold", 240, 1, () -> fleet(4, 4, 0.3), Troubled::restarts),
                scenario("cold-all", 60, 4, () -> fleet(4, 4, 0.3), (world, seconds) -> cold(world, 0, 4)),
                scenario("all-fail-1", 240, 4, () -> fleet(4, 4, 0.6), (world, seconds) -> fail(world, 4, 0.01)),
                failing("fails-10", 0.1),
                failing("fails-50", 0.5),
                failing("fails-100", 1));
    }

    private static Scenario scenario(
            String name, double seconds, int affected, Supplier<Plan> plan, BiConsumer<World, Double> script) {
        return new Scenario(name, false, seconds, affected, plan, script);
    }

    private static Scenario failing(String name, double share) {
        return scenario(name, 240, 1, () -> fleet(4, 4, 0.3), (world, seconds) -> fail(world, 1, share));
    }

    private static void fail(World world, int count, double share) {
        IntStream.range(0, count).forEach(i -> world.servers[i].failing = share);
    }

    private static Plan fleet(int servers, int clients, double load) {
        return new Plan().fleet(servers, clients).load(load);
    }

    private static Plan lowRate(int servers, int clients, double rate) {
        return new Plan().fleet(servers, clients).work(4, 2, 1).rate(rate);
    }

    private static Plan together(Plan plan) {
        plan.together = true;
        plan.clientsPerNode = plan.clients;
        return plan;
    }

    private static void slowOne(World world, double seconds) {
        slow(world, 1, 10);
    }

    /** The first ones take {@code factor} times as long, always, and their kernels know nothing of it. */
    private static void slow(World world, int count, double factor) {
        IntStream.range(0, count).forEach(i -> world.servers[i].slowness = factor);
    }

    /** Every server, now and then, has a neighbour that makes it three times as slow for about two seconds. */
    private static void antagonists(World world, double seconds) {
        for (Server server : world.servers) {
            server.neighbour = true;
            haunt(world, server);
        }
    }

    private static void haunt(World world, Server server) {
        world.agenda.after((long) world.fate.exponential(10 * SECOND), () -> {
            server.slowness = 3;
            world.agenda.after((long) world.fate.exponential(2 * SECOND), () -> {
                server.slowness = 1;
                haunt(world, server);
            });
        });
    }

    private static void pauses(World world, double seconds) {
        world.agenda.every(SECOND, 2 * SECOND, () -> world.servers[0].pause(300 * MILLI));
    }

    /** A neighbour eats half of the instance's CPU quota: it stands still for 50 of every 100 ms, for 5 of every 15 s. */
    private static void quota(World world, double seconds) {
        Server server = world.servers[0];
        world.agenda.every(SECOND, 15 * SECOND, () -> {
            server.vitals.throttledPermille = 500;
            for (int i = 0; i < 50; i++) {
                world.agenda.after(i * 100L * MILLI + 50 * MILLI, () -> server.pause(50 * MILLI));
            }
            world.agenda.after(5 * SECOND, () -> server.vitals.throttledPermille = 0);
        });
    }

    /** Down for two seconds of every twenty, and ten times as slow at first, for about two hundred requests. */
    private static void restarts(World world, double seconds) {
        world.agenda.every(SECOND, 20 * SECOND, () -> world.servers[0].restart(2 * SECOND, 10, 200));
    }

    private static void cold(World world, int from, int to) {
        world.agenda.after(
                12 * SECOND, () -> IntStream.range(from, to).forEach(i -> world.servers[i].restart(1, 10, 200)));
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.aether.bench.sim;

import static io.aether.bench.sim.Agenda.MILLI;
import static io.aether.bench.sim.Agenda.SECOND;

import io.aether.core.table.TableLayout;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/** Fleets, loads, requests and signals that change, mix or mislead. */
final class Changing {
    private static final long WARM = 12 * SECOND;

    private Changing() {}

    static List<Scenario> all() {
        return List.of(
                scenario("recovers", 120, 1, () -> fleet(4, 4, 0.3), Changing::recovers),
                scenario("scale-out-and-in", 120, 0, Changing::growing, Changing::scales),
                scenario("ramp-75-to-174", 60, 0, () -> limited(fleet(10, 10, 1)), Changing::ramp),
                scenario("mixed-1ms-and-2s", 240, 0, Changing::mixed, Changing::mixes),
                scenario("long-polls", 240, 0, Changing::polls, Changing::mixesPolls),
                scenario("zone-outage", 60, 0, Changing::zoned, Changing::zoneOut),
                scenario("kernel-stale-1s", 80, 0, () -> fleet(10, 10, 0.7), (world, seconds) -> stale(world)),
                scenario("kernel-lies", 80, 1, () -> fleet(10, 10, 0.7), (world, seconds) -> lies(world)),
                scenario("agent-lost-pauses", 240, 1, () -> fleet(4, 4, 0.3), Changing::agentLost),
                scenario("graph-pause", 600, 0, () -> Graph.plan(3, 10), Changing::graphPause),
                scenario("scale-10000x100", 2, 0, Changing::huge, (world, seconds) -> {}));
    }

    private static Scenario scenario(
            String name, double seconds, int affected, Supplier<Plan> plan, BiConsumer<World, Double> script) {
        return new Scenario(name, false, seconds, affected, plan, script);
    }

    private static Plan fleet(int servers, int clients, double load) {
        return new Plan().fleet(servers, clients).load(load);
    }

    /** Ten times as slow until a third of the run is over, then as good as any. */
    private static void recovers(World world, double seconds) {
        world.servers[0].slowness = 10;
        world.agenda.after((long) (seconds / 3 * SECOND), () -> world.servers[0].slowness = 1);
    }

    private static Plan growing() {
        Plan plan = fleet(8, 8, 0.35);
        plan.listed = 6;
        return plan;
    }

    /** Two new, cold ones join; later two others leave. */
    private static void scales(World world, double seconds) {
        IntStream.range(6, 8).forEach(i -> world.servers[i].restart(1, 10, 200));
        world.agenda.after(
                WARM + 10 * SECOND, () -> world.list(IntStream.range(0, 8).toArray()));
        world.agenda.after(
                WARM + 20 * SECOND, () -> world.list(IntStream.range(2, 8).toArray()));
    }

    private static Plan limited(Plan plan) {
        plan.timeout = Duration.ofSeconds(1);
        return plan;
    }

    /** From three quarters of what the fleet can do to 1.74 times that, as in Prequal's figure 6. */
    private static void ramp(World world, double seconds) {
        world.pace(0.75);
        world.agenda.every(SECOND, SECOND, () -> world.pace(Math.min(1.74, world.pace() + 0.99 / seconds)));
    }

    private static Plan mixed() {
        Plan plan = new Plan().fleet(4, 4).work(8, 1, 0.5).rate(400);
        plan.timeout = Duration.ofSeconds(30);
        return plan;
    }

    /** One request in two hundred is a report of two seconds. */
    private static void mixes(World world, double seconds) {
        world.sizes = chance -> chance.lognormal(0.5) * (chance.happens(0.005) ? 2000 : 1);
    }

    private static Plan polls() {
        Plan plan = new Plan().fleet(4, 4).work(200, 1, 0.5).rate(400);
        plan.timeout = Duration.ofSeconds(60);
        return plan;
    }

    /** One request in fifty waits 20 s for news, without work; nothing tells the client which. */
    private static void mixesPolls(World world, double seconds) {
        world.sizes = chance -> chance.happens(0.02) ? 20_000 : chance.lognormal(0.5);
    }

    private static Plan zoned() {
        Plan plan = fleet(9, 9, 0.4);
        plan.zones = 3;
        plan.timeout = Duration.ofSeconds(2);
        return plan;
    }

    /** Every third server is gone for a while. */
    private static void zoneOut(World world, double seconds) {
        world.agenda.after(
                WARM + 2 * SECOND,
                () -> Arrays.stream(world.servers)
                        .filter(server -> server.index % 3 == 0)
                        .forEach(server -> server.restart((long) (seconds / 3 * SECOND), 1, 1)));
    }

    /** All that the table says is a second old but claims to be new: load reports as a poller would have them. */
    private static void stale(World world) {
        for (Node node : world.nodes) {
            node.lie = (server, into) -> {
                long second = world.agenda.nanos() / SECOND;
                into.runQueueMicros = 1000L * Math.floorMod(second * 7919L + server * 104_729L, 10);
            };
        }
    }

    /** An agent that says of one healthy server that it is at its limit. */
    private static void lies(World world) {
        for (Node node : world.nodes) {
            node.lie = (server, into) -> {
                into.reportTimeNanos = world.agenda.nanos();
                into.pressure = server == 0 ? 255 : 0;
                into.flags &= ~TableLayout.FLAG_GONE;
            };
        }
    }

    /** Pauses, and no agent to tell of them after a third of the run. */
    private static void agentLost(World world, double seconds) {
        world.agenda.every(SECOND, 2 * SECOND, () -> world.servers[0].pause(300 * MILLI));
        world.agenda.after((long) (seconds / 3 * SECOND), () -> {
            for (Node node : world.nodes) {
                node.lost = true;
            }
        });
    }

    /** The checkout graph with one instance of the most called service stopped for 300 ms of every 2 s. */
    private static void graphPause(World world, double seconds) {
        Graph.wire(world, 3);
        Server shard = world.servers[Graph.first(3, "shard")];
        world.agenda.every(SECOND, 2 * SECOND, () -> shard.pause(300 * MILLI));
    }

    private static Plan huge() {
        Plan plan = new Plan().fleet(10_000, 100).rate(40_000);
        plan.timeout = Duration.ZERO;
        return plan;
    }
}

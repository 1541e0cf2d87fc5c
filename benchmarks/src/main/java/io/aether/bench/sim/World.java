// SPDX-License-Identifier: Apache-2.0
package io.aether.bench.sim;

import io.aether.bench.sim.policy.Ending;
import io.aether.bench.sim.policy.Load;
import io.aether.bench.sim.policy.Policy;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * One run: a plan, a policy and a seed. Whoever picks, the same seed gives the same arrivals, the same work and the same
 * misfortunes.
 */
final class World {
    final Agenda agenda = new Agenda();
    final Plan plan;
    final Server[] servers;
    final Node[] nodes;
    final Client[] clients;
    final Wire wire;
    /** For the script: independent of what policies draw. */
    final Chance fate;
    /** The machine that all share, if they do. */
    final @Nullable Processor processor;

    /** The work of a request as a multiple of the mean. */
    ToDoubleFunction<Chance> sizes;

    private final Arm arm;
    private final long seed;
    private final Tally tally;
    private int[] listed;
    private double pace = 1;
    private long from;
    private long to;

    World(Plan plan, Arm arm, long seed) {
        this.plan = plan;
        this.arm = arm;
        this.seed = seed;
        this.tally = new Tally(plan.servers);
        this.fate = new Chance(seed * 31 + 1);
        this.wire = new Wire(new Chance(seed * 31 + 2), plan);
        this.sizes = chance -> chance.lognormal(plan.variation);
        this.processor = plan.processorShare > 0 ? new Processor(agenda, plan.processors) : null;
        this.servers = IntStream.range(0, plan.servers).mapToObj(i -> server(i)).toArray(Server[]::new);
        this.nodes = IntStream.range(0, (plan.clients - 1) / plan.clientsPerNode + 1)
                .mapToObj(i -> new Node(agenda, servers))
                .toArray(Node[]::new);
        this.clients = IntStream.range(0, plan.clients).mapToObj(i -> client(i)).toArray(Client[]::new);
        for (Node node : nodes) {
            node.together = plan.together;
        }
        this.listed = IntStream.range(0, plan.listed == 0 ? plan.servers : plan.listed)
                .toArray();
    }

    private Server server(int index) {
        Server server = new Server(
                index, agenda, new Chance(seed * 31 + 1000 + index), plan.workers, plan.meanMillis * Agenda.MILLI);
        if (processor != null) {
            server.runsOn(processor, plan.processorShare);
        }
        return server;
    }

    private Client client(int index) {
        Chance arrivals = new Chance(seed * 31 + 1_000_000 + index);
        Caller caller = caller(index, index / plan.clientsPerNode, plan.clients);
        return new Client(this, arrivals, caller, plan.rate / plan.clients);
    }

    /** A balancer of its own, one of {@code siblings} that use the same service. */
    Caller caller(int index, int node, int siblings) {
        Chance dice = new Chance(seed * 31 + 2_000_000 + index);
        Policy.Network probes = (server, answer) -> agenda.after(
                wire.oneWay(index, server, 0),
                () -> probed(server, load -> agenda.after(wire.oneWay(index, server, 0), () -> answer.accept(load))));
        Policy policy = arm.policy(agenda, dice, siblings, nodes[node], probes);
        if (plan.zones > 1) {
            policy.zones(server -> plan.apart(index, server));
        }
        return new Caller(index, this, policy, node);
    }

    /** Probes are answered at once by those that run; they time out elsewhere. */
    private void probed(int server, Consumer<Load> answer) {
        Server asked = servers[server];
        if (!asked.down && agenda.nanos() >= asked.vitals.runsAgainAt) {
            answer.accept(asked.load());
        }
    }

    /** Lets the registry list these servers from now on. */
    void list(int... now) {
        listed = now;
        for (Client client : clients) {
            client.caller.policy.list(now);
        }
    }

    /** All clients send this many times as much as planned. */
    void pace(double factor) {
        pace = factor;
    }

    double pace() {
        return pace;
    }

    double size(Chance chance) {
        return sizes.applyAsDouble(chance);
    }

    void counted(int server) {
        if (measured(agenda.nanos())) {
            tally.sent(server);
        }
    }

    void ended(long sent, Ending ending) {
        if (measured(sent)) {
            boolean fast = ending == Ending.FAILED || ending == Ending.REFUSED;
            tally.ended(agenda.nanos() - sent, ending != Ending.OK, fast);
        }
    }

    boolean over() {
        return agenda.nanos() >= to;
    }

    private boolean measured(long time) {
        return time >= from && time < to;
    }

    /** Runs the script for a while after a warm-up, and waits for what is still under way. */
    Tally run(double warmSeconds, double seconds, BiConsumer<World, Double> script) {
        from = agenda.nanos() + (long) (warmSeconds * Agenda.SECOND);
        to = from + (long) (seconds * Agenda.SECOND);
        list(listed);
        script.accept(this, seconds);
        for (Client client : clients) {
            client.begin();
        }
        agenda.runUntil(from);
        while (agenda.nanos() < to) {
            agenda.runUntil(Math.min(to, agenda.nanos() + Tally.WINDOW_NANOS));
            tally.roll(listed);
        }
        agenda.runUntil(to + Math.max(plan.timeout.toNanos(), 5 * Agenda.SECOND));
        return tally;
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.aether.bench.sim;

import io.aether.bench.sim.policy.Ending;
import io.aether.bench.sim.policy.Load;
import io.aether.bench.sim.policy.Policy;
import org.jspecify.annotations.Nullable;

/** Sends requests at random times whatever becomes of them (open loop), each where its policy says. */
final class Client {
    final int index;
    final Policy policy;
    /** Requests a second. */
    double rate;

    private final World world;
    private final Agenda agenda;
    /** What is the same for every policy: when requests come and how much work they are. */
    private final Chance arrivals;

    private final int nodeIndex;
    private final Node node;

    Client(int index, World world, Chance arrivals, Policy policy, int nodeIndex, double rate) {
        this.index = index;
        this.world = world;
        this.agenda = world.agenda;
        this.arrivals = arrivals;
        this.policy = policy;
        this.nodeIndex = nodeIndex;
        this.node = world.nodes[nodeIndex];
        this.rate = rate;
    }

    void begin() {
        if (world.over()) {
            return;
        }
        double perNano = rate * world.pace() / world.plan.burst / Agenda.SECOND;
        if (perNano <= 0) {
            agenda.after(10 * Agenda.MILLI, this::begin);
            return;
        }
        agenda.after((long) arrivals.exponential(1 / perNano), () -> {
            for (int i = 0; i < world.plan.burst; i++) {
                send(world.size(arrivals));
            }
            begin();
        });
    }

    private void send(double size) {
        Attempt attempt = new Attempt(policy.pick(agenda.nanos()), agenda.nanos());
        world.counted(attempt.server);
        int lost = world.wire.losses(attempt.server);
        long way = world.wire.oneWay(index, attempt.server, lost);
        node.sent(attempt.server, 2 * world.wire.oneWay(index, attempt.server, 0), lost);
        Request request = new Request(size, nodeIndex, (ending, load) -> {
            int lostBack = world.wire.losses(attempt.server);
            agenda.after(world.wire.oneWay(index, attempt.server, lostBack), () -> attempt.end(ending, load));
        });
        agenda.after(way, () -> {
            node.arrived(attempt.server);
            world.servers[attempt.server].arrive(request);
        });
        long timeout = world.plan.timeout.toNanos();
        if (timeout > 0) {
            agenda.after(timeout, () -> attempt.end(Ending.TIMEOUT, null));
        }
    }

    /** A request under way. */
    private final class Attempt {
        final int server;
        final long sent;
        private boolean over;

        Attempt(int server, long sent) {
            this.server = server;
            this.sent = sent;
        }

        void end(Ending ending, @Nullable Load load) {
            if (over) {
                return;
            }
            over = true;
            long now = agenda.nanos();
            if (ending != Ending.TIMEOUT) {
                node.answered(server, now - sent);
            }
            policy.done(server, sent, now, ending, load);
            world.ended(sent, ending);
        }
    }
}

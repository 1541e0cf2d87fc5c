// SPDX-License-Identifier: Apache-2.0
package io.aether.bench.sim;

import io.aether.bench.sim.policy.Ending;
import io.aether.bench.sim.policy.Load;
import io.aether.bench.sim.policy.Policy;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** One balancer with what it needs to send: an application's view of one service. */
final class Caller {
    final Policy policy;

    private final int index;
    private final World world;
    private final Agenda agenda;
    private final int nodeIndex;
    private final Node node;

    Caller(int index, World world, Policy policy, int nodeIndex) {
        this.index = index;
        this.world = world;
        this.agenda = world.agenda;
        this.policy = policy;
        this.nodeIndex = nodeIndex;
        this.node = world.nodes[nodeIndex];
    }

    /** Sends a request where the policy says, and tells how it ended. */
    void send(double size, Consumer<Ending> told) {
        Attempt attempt = new Attempt(policy.pick(agenda.nanos()), agenda.nanos(), told);
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
        private final long sent;
        private final Consumer<Ending> told;
        private boolean over;

        Attempt(int server, long sent, Consumer<Ending> told) {
            this.server = server;
            this.sent = sent;
            this.told = told;
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
            told.accept(ending);
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.aether.bench.sim;

/** Sends requests at random times whatever becomes of them (open loop). */
final class Client {
    final Caller caller;
    /** Requests a second. */
    double rate;

    private final World world;
    private final Agenda agenda;
    /** What is the same for every policy: when requests come and how much work they are. */
    private final Chance arrivals;

    Client(World world, Chance arrivals, Caller caller, double rate) {
        this.world = world;
        this.agenda = world.agenda;
        this.arrivals = arrivals;
        this.caller = caller;
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
                send();
            }
            begin();
        });
    }

    private void send() {
        long sent = agenda.nanos();
        caller.send(world.size(arrivals), ending -> world.ended(sent, ending));
    }
}

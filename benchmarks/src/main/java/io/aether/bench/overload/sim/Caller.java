// SPDX-License-Identifier: Apache-2.0
package io.aether.bench.overload.sim;

import io.aether.bench.overload.Ledger;
import io.aether.bench.overload.Mix;
import io.aether.bench.sim.Agenda;
import io.aether.bench.sim.Chance;
import io.aether.core.limit.ClientShares;
import io.aether.core.limit.Priority;
import io.aether.core.limit.UserRank;

/** A client: sends at random times at the rate that it is told, whatever becomes of what it sent before. */
final class Caller {
    private static final long TICK_NANOS = 50 * Agenda.MILLI;

    final int index;
    final ClientShares.Client share = new ClientShares.Client();
    private final Agenda agenda;
    private final Chance chance;
    private final Service service;
    private final Ledger ledger;
    private final Mix mix;
    private final Gate gate;
    private double rate;
    private int generation;
    private long marked;
    private long clean;

    Caller(int index, Agenda agenda, Chance chance, Service service, Ledger ledger, Trial trial) {
        this.index = index;
        this.agenda = agenda;
        this.chance = chance;
        this.service = service;
        this.ledger = ledger;
        this.mix = trial.mix();
        this.gate = trial.policy().gate().apply(agenda);
        agenda.every(1 + chance.below((int) TICK_NANOS), TICK_NANOS, this::tick);
    }

    /** From now on sends {@code perSecond} requests. */
    void demand(double perSecond) {
        rate = perSecond;
        next(++generation);
    }

    private void next(int mine) {
        agenda.after((long) chance.exponential(1e9 / rate), () -> {
            if (mine == generation) {
                send();
                next(mine);
            }
        });
    }

    private void send() {
        Priority priority = mix.draw(chance);
        long now = agenda.nanos();
        ledger.wanted(index, priority, now);
        if (gate.pass(priority, UserRank.NOBODY)) {
            service.send(new Request(this, priority, now));
        } else {
            ledger.heldBack(now);
        }
    }

    void hear(Request request, boolean served, int ce, int withoutCe, int pressure) {
        long now = agenda.nanos();
        long nanos = now - request.intended;
        marked += ce;
        clean += withoutCe;
        if (served) {
            gate.answered(nanos, pressure);
            ledger.served(index, request.priority, nanos, now);
        } else {
            gate.refused(nanos);
            ledger.refused(now);
        }
    }

    private void tick() {
        gate.marks(marked, clean);
        gate.tick();
    }
}

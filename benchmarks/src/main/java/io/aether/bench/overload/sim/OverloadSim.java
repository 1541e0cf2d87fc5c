// SPDX-License-Identifier: Apache-2.0
package io.aether.bench.overload.sim;

import io.aether.bench.overload.Ledger;
import io.aether.bench.overload.Outcome;
import io.aether.bench.overload.Target;
import io.aether.bench.sim.Agenda;
import io.aether.bench.sim.Chance;

/** Runs trials. The same trial gives the same outcome, to the last bit. */
public final class OverloadSim {
    /** Longer than the limiter's grace period. */
    private static final long CALM_NANOS = 5 * Agenda.SECOND;

    private static final long OVERLOAD_NANOS = 20 * Agenda.SECOND;
    private static final long SETTLE_NANOS = 2 * Agenda.SECOND;
    private static final long AFTER_NANOS = 6 * Agenda.SECOND;
    private static final double NORMAL = 0.7;

    private OverloadSim() {}

    /** One run. */
    public static Outcome run(Trial trial) {
        Agenda agenda = new Agenda();
        Chance chance = new Chance(trial.seed());
        long start = agenda.nanos();
        long step = start + CALM_NANOS;
        long end = step + OVERLOAD_NANOS;
        long over = end + AFTER_NANOS;
        Ledger ledger = new Ledger(trial.clients(), start, over, step + SETTLE_NANOS, end);
        Service service = new Service(agenda, chance, trial);
        Caller[] callers = new Caller[trial.clients()];
        for (int i = 0; i < callers.length; i++) {
            callers[i] = new Caller(i, agenda, chance, service, ledger, trial);
        }
        demand(callers, trial, NORMAL);
        agenda.at(step, () -> demand(callers, trial, trial.factor()));
        agenda.at(end, () -> demand(callers, trial, NORMAL));
        agenda.runUntil(over);
        return ledger.outcome(step, end);
    }

    private static void demand(Caller[] callers, Trial trial, double factor) {
        for (Caller caller : callers) {
            caller.demand(Target.CAPACITY * factor * trial.mix().share(caller.index, callers.length));
        }
    }
}

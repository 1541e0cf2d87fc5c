// SPDX-License-Identifier: Apache-2.0
package io.aether.bench.overload.sim;

import io.aether.bench.overload.Target;
import io.aether.bench.sim.Agenda;
import io.aether.bench.sim.Chance;
import io.aether.core.limit.Admission;
import io.aether.core.limit.ClientShares;
import io.aether.core.limit.Marker;
import io.aether.core.limit.ServiceTime;
import java.util.ArrayDeque;

/** Eight workers before one queue, that marks and refuses as a server with Aether does. Single-threaded. */
final class Service {
    /** As over TCP, where an answer of this size is one segment. */
    private static final int PACKETS = 1;

    private static final long ONE_WAY_NANOS = 250_000;
    private static final int MOST_PRESSURE = 255;

    private final Agenda agenda;
    private final Chance chance;
    private final Trial trial;
    private final Marker marker = Marker.of(Target.MEAN_NANOS, Target.OBJECTIVE_NANOS);
    private final Admission admission = Admission.of(Target.OBJECTIVE_NANOS);
    private final ServiceTime serviceTime = new ServiceTime(Target.MEAN_NANOS);
    private final ClientShares shares = new ClientShares();
    private final ArrayDeque<Request> queue = new ArrayDeque<>();
    private final ArrayDeque<Request> refusals = new ArrayDeque<>();
    private int busy;

    Service(Agenda agenda, Chance chance, Trial trial) {
        this.agenda = agenda;
        this.chance = chance;
        this.trial = trial;
    }

    void send(Request request) {
        agenda.after(ONE_WAY_NANOS, () -> arrive(request));
    }

    private void arrive(Request request) {
        long now = agenda.nanos();
        Admission.Verdict verdict = admission.arrive(request.priority, waitNanos(), Admission.NO_DEADLINE, now);
        if (verdict == Admission.Verdict.ADMIT || !trial.policy().sheds()) {
            queue.add(request);
        } else if (trial.refusalNanos() == 0) {
            answer(request, false);
        } else {
            refusals.add(request);
        }
        work();
    }

    private double waitNanos() {
        return serviceTime.waitNanos(queue.size(), Target.WORKERS);
    }

    private void work() {
        while (busy < Target.WORKERS && !(queue.isEmpty() && refusals.isEmpty())) {
            busy++;
            boolean refuse = !refusals.isEmpty();
            Request request = refuse ? refusals.remove() : queue.remove();
            long work = refuse ? trial.refusalNanos() : (long) (Target.MEAN_NANOS * chance.lognormal(Target.VARIATION));
            agenda.after(work, () -> done(request, !refuse, work));
        }
    }

    private void done(Request request, boolean served, long work) {
        busy--;
        if (served) {
            serviceTime.observe((double) work);
        }
        answer(request, served);
        work();
    }

    private void answer(Request request, boolean served) {
        long now = agenda.nanos();
        Caller caller = request.caller;
        double probability =
                marker.probability(waitNanos(), (double) shares.packets(caller.share, now), shares.mean(now));
        shares.count(caller.share, PACKETS, now);
        int marked = 0;
        for (int i = 0; trial.policy().marks() && i < PACKETS; i++) {
            marked += chance.happens(probability) ? 1 : 0;
        }
        int clean = trial.policy().marks() ? PACKETS - marked : 0;
        int ce = marked;
        int pressure = trial.policy().tells() ? pressure() : -1;
        agenda.after(ONE_WAY_NANOS, () -> caller.hear(request, served, ce, clean, pressure));
    }

    private int pressure() {
        return (int) Math.min(MOST_PRESSURE, MOST_PRESSURE * waitNanos() / admission.hardLimitNanos());
    }
}

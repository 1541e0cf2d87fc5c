// SPDX-License-Identifier: Apache-2.0
package io.aether.bench.overload.client;

import io.aether.bench.overload.Bout;
import io.aether.bench.overload.Ledger;
import io.aether.bench.overload.Outcome;
import io.aether.bench.overload.Phases;
import io.aether.bench.overload.Target;
import io.aether.bench.overload.Wire;
import io.aether.bench.overload.gate.Gates;
import io.aether.bench.sim.Chance;
import java.io.IOException;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;

/** Plays one bout: Poisson arrivals at the rate of each phase, whatever becomes of what was sent before. */
final class Play {
    /** Every client's gate ticks once in ten of these. */
    private static final int TICK_MILLIS = 5;

    private static final int GROUPS = 10;
    private static final int TICKS_PER_LOOK = 20;
    private static final double HEADROOM = 1.2;
    private static final long LEAD_NANOS = 50_000_000L;

    private final Bout bout;
    private final Gates gates;
    private final int port;
    private final Chance chance;
    private final long start = System.nanoTime() + LEAD_NANOS;
    private final Histogram late = new Histogram(10_000_000_000L, 2);
    private final List<double[]> looks = new ArrayList<>();
    private int ticks;

    Play(Bout bout, Gates gates, int port) {
        this.bout = bout;
        this.gates = gates;
        this.port = port;
        this.chance = new Chance(bout.seed());
    }

    /** Writes {@code start}, one line for each tenth of a second, and the outcome. */
    void run(PrintStream out) throws IOException, InterruptedException {
        Phases phases = bout.phases();
        long over = start + phases.overNanos();
        Ledger ledger =
                new Ledger(bout.clients(), start, over, start + phases.steadyNanos(), start + phases.endNanos());
        int most = (int) (HEADROOM * Target.CAPACITY * Math.max(1, bout.factor()) * phases.overNanos() / 1e9) + 1000;
        ScheduledExecutorService ticker = Executors.newSingleThreadScheduledExecutor();
        try (Clients clients = new Clients(bout, gates, port, ledger, most)) {
            Future<?> unused = ticker.scheduleAtFixedRate(() -> tick(clients), 0, TICK_MILLIS, TimeUnit.MILLISECONDS);
            out.println("start");
            send(clients, over);
        } finally {
            ticker.shutdownNow();
            ticker.awaitTermination(1, TimeUnit.SECONDS);
        }
        print(ledger, out);
    }

    private void send(Clients clients, long over) throws IOException {
        long next = start;
        while (next - over < 0) {
            Wire.sleepUntil(next);
            late.recordValue(Math.max(0, System.nanoTime() - next));
            clients.send(next);
            long following = next + (long) chance.exponential(1e9 / demand(next - start));
            long change = nextChange(next);
            // No memory: where the rate changes first, one may as well begin to wait anew.
            next = following - change < 0
                    ? following
                    : change + (long) chance.exponential(1e9 / demand(change - start));
        }
    }

    private double demand(long age) {
        boolean over = age >= bout.phases().stepNanos() && age < bout.phases().endNanos();
        return Target.CAPACITY * (over ? bout.factor() : Phases.NORMAL);
    }

    private long nextChange(long time) {
        long step = start + bout.phases().stepNanos();
        long end = start + bout.phases().endNanos();
        return time - step < 0 ? step : time - end < 0 ? end : Long.MAX_VALUE;
    }

    private synchronized void tick(Clients clients) {
        clients.tick(ticks % GROUPS, GROUPS);
        if (ticks++ % TICKS_PER_LOOK == 0) {
            looks.add(clients.look(demand(System.nanoTime() - start)));
        }
    }

    private synchronized void print(Ledger ledger, PrintStream out) {
        int[][] slots = ledger.slots();
        for (int i = 0; i < Math.min(looks.size(), slots[0].length); i++) {
            double[] look = looks.get(i);
            out.printf(
                    Locale.ROOT,
                    "slot %d %d %d %d %.1f %.3f%n",
                    slots[0][i],
                    slots[1][i],
                    slots[2][i],
                    slots[3][i],
                    look[0],
                    look[1]);
        }
        Outcome o = ledger.outcome(
                start + bout.phases().stepNanos(), start + bout.phases().endNanos());
        out.printf(
                Locale.ROOT,
                "outcome %f %f %f %f %f %f %f %f%n",
                o.goodput(),
                o.p99Millis(),
                o.refused(),
                o.jain(),
                o.backInTimeSeconds(),
                o.fullDemandSeconds(),
                o.worstClient(),
                late.getValueAtPercentile(99) / 1e6);
    }
}

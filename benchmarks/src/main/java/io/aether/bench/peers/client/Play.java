// SPDX-License-Identifier: Apache-2.0
package io.aether.bench.peers.client;

import io.aether.bench.overload.Wire;
import io.aether.bench.peers.Block;
import io.aether.bench.peers.Samples;
import io.aether.bench.sim.Chance;
import java.io.PrintStream;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.locks.LockSupport;

/** One block: requests at their times, whatever became of those before, and what became of them. */
final class Play {
    private static final long MILLI = 1_000_000;

    /** After the timeout and a little more nobody is waited for. */
    private static final long PATIENCE_NANOS = (Client.TIMEOUT_MILLIS + 500) * MILLI;

    /** What took so long was given up: clocks and timers are not exact. */
    private static final int GIVEN_UP_MICROS = Client.TIMEOUT_MILLIS * 950;

    /** No end yet. */
    private static final int OPEN = -1;

    private final Block block;
    private final List<Client> clients;
    private final Chance chance;
    /** Latencies in us; those that were given up are marked in {@link #failures}. */
    private final AtomicIntegerArray ends;

    private final AtomicIntegerArray failures;
    private final AtomicInteger open = new AtomicInteger();
    private final int[] lateMicros;
    private int count;
    /** When the next request is to be sent. */
    private long next;

    Play(Block block, List<Client> clients) {
        this.block = block;
        this.clients = clients;
        this.chance = new Chance(block.seed());
        // Twice as many as there should be; a Poisson count of thousands does not come near.
        int most = (int) (2 * block.rate() * block.millis() / 1000) + 1000;
        this.ends = new AtomicIntegerArray(most);
        this.failures = new AtomicIntegerArray(most);
        this.lateMicros = new int[most];
    }

    /** Says {@code settled} when the part that counts begins, and then what came of it. */
    void run(PrintStream out) {
        long start = System.nanoTime();
        long settled = start + block.settleMillis() * MILLI;
        long end = settled + block.millis() * MILLI;
        next = start + gap();
        send(settled, false);
        out.println("settled");
        send(end, true);
        long patience = end + PATIENCE_NANOS;
        while (open.get() > 0 && System.nanoTime() < patience) {
            LockSupport.parkNanos(MILLI);
        }
        out.println(samples().line());
    }

    private long gap() {
        return Math.round(chance.exponential(1e9 / block.rate()));
    }

    /** Sends all that is to be sent until then, and waits until then. */
    private void send(long until, boolean counts) {
        for (; next < until; next += gap()) {
            Wire.sleepUntil(next);
            Client client = clients.get(chance.below(clients.size()));
            client.send(counts && count < ends.length() ? new Counted(count++, next) : UNCOUNTED);
        }
        Wire.sleepUntil(until);
    }

    private Samples samples() {
        int[] micros = new int[count];
        int known = 0;
        int failed = 0;
        int gaveUp = 0;
        for (int i = 0; i < count; i++) {
            int end = ends.get(i);
            boolean late = end == OPEN || (failures.get(i) == 1 && end >= GIVEN_UP_MICROS);
            gaveUp += late ? 1 : 0;
            failed += late || failures.get(i) == 1 ? 1 : 0;
            if (late || failures.get(i) == 0) {
                micros[known++] = end == OPEN ? (int) (PATIENCE_NANOS / 1000) : end;
            }
        }
        Arrays.sort(lateMicros, 0, count);
        double late = count == 0 ? 0 : lateMicros[count * 99 / 100] / 1e3;
        return new Samples(Arrays.copyOf(micros, known), failed, gaveUp, late);
    }

    private static final Client.End UNCOUNTED = new Client.End() {
        @Override
        public void answered(int status) {}

        @Override
        public void failed() {}
    };

    /** A request that counts. */
    private final class Counted implements Client.End {
        private final int index;
        private final long intended;

        Counted(int index, long intended) {
            this.index = index;
            this.intended = intended;
            lateMicros[index] = micros();
            ends.set(index, OPEN);
            open.incrementAndGet();
        }

        private int micros() {
            return (int) ((System.nanoTime() - intended) / 1000);
        }

        @Override
        public void answered(int status) {
            end(status != 200);
        }

        @Override
        public void failed() {
            end(true);
        }

        private void end(boolean failure) {
            failures.set(index, failure ? 1 : 0);
            ends.set(index, Math.max(0, micros()));
            open.decrementAndGet();
        }
    }
}

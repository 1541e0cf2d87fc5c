// SPDX-License-Identifier: Apache-2.0
package io.aether.bench.detect;

import io.aether.core.NanoClock;
import io.aether.core.table.EndpointAddress;
import io.aether.core.table.EndpointHealth;
import io.aether.core.table.HealthTable;
import io.aether.core.table.TableLayout;
import org.HdrHistogram.Histogram;

/**
 * Spins on one LOCAL slot, as an application in a hurry would read it, and notes at each change of its GONE flag how old
 * the kernel's time of that change is. One thread runs it; {@link #changes()} may be read by another.
 */
final class SlotReader implements Runnable {
    private final HealthTable table;
    private final NanoClock clock;
    private final long netns;
    private final EndpointAddress address;
    private final EndpointHealth health = new EndpointHealth();
    private final Histogram ages = new Histogram(10_000_000_000L, 3);
    private final int warmUp;

    private volatile boolean stopped;
    private volatile int changes;

    /** @param warmUp changes that are not recorded, while both sides are still being compiled */
    SlotReader(HealthTable table, NanoClock clock, long netns, EndpointAddress address, int warmUp) {
        this.table = table;
        this.clock = clock;
        this.netns = netns;
        this.address = address;
        this.warmUp = warmUp;
    }

    @Override
    public void run() {
        boolean gone = true; // no slot yet
        int seen = 0;
        while (!stopped) {
            if (!read()) {
                Thread.onSpinWait();
                continue;
            }
            if (health.gone() == gone) {
                continue;
            }
            long age = clock.nanos() - health.queueTimeNanos;
            gone = health.gone();
            if (seen >= warmUp) {
                ages.recordValue(Math.max(0, age));
            }
            changes = ++seen;
        }
    }

    private boolean read() {
        int kind = TableLayout.KIND_LOCAL;
        int slot = table.find(netns, address.hi(), address.lo(), address.port(), kind);
        return table.read(slot, netns, address.hi(), address.lo(), address.port(), kind, health);
    }

    /** Changes seen so far. */
    int changes() {
        return changes;
    }

    void stop() {
        stopped = true;
    }

    /** In nanoseconds; only after the thread has ended. */
    Histogram ages() {
        return ages;
    }
}

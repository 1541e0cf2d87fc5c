// SPDX-License-Identifier: Apache-2.0
package io.aether.bench.overload.gate;

import io.aether.core.NanoClock;
import io.aether.core.limit.BranchLimiter;
import io.aether.core.limit.LimitSettings;
import io.aether.core.limit.PeerMarks;
import io.aether.core.limit.Priority;
import io.aether.core.table.EndpointAddress;
import io.aether.core.table.EndpointHealth;
import io.aether.core.table.HealthTable;
import io.aether.core.table.TableLayout;
import org.jspecify.annotations.Nullable;

/** The limiter of the core, fed from the table that the agent writes. */
final class AetherGate implements Gate, Gate.Pass {
    private final BranchLimiter limiter = new BranchLimiter(LimitSettings.defaults(), NanoClock.system());
    private final PeerMarks marks = new PeerMarks();
    private final EndpointHealth health = new EndpointHealth();
    private final HealthTable table;
    private final long netns;
    private final EndpointAddress server;

    AetherGate(HealthTable table, long netns, EndpointAddress server) {
        this.table = table;
        this.netns = netns;
        this.server = server;
    }

    @Override
    public @Nullable Pass ask() {
        return limiter.tryAcquire(Priority.CRITICAL) ? this : null;
    }

    @Override
    public void answered() {
        limiter.answered();
    }

    @Override
    public void refused() {
        limiter.refused();
    }

    @Override
    public void tick() {
        int kind = TableLayout.KIND_PEER;
        int slot = table.find(netns, server.hi(), server.lo(), server.port(), kind);
        if (table.read(slot, netns, server.hi(), server.lo(), server.port(), kind, health)) {
            marks.read(health.ce, health.ect);
            limiter.marks(marks);
        }
        limiter.tick();
    }

    @Override
    public double limit() {
        return limiter.rate();
    }

    @Override
    public double fraction() {
        return limiter.fraction();
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.aether.bench.overload.sim;

import io.aether.core.NanoClock;
import io.aether.core.limit.BranchLimiter;
import io.aether.core.limit.LimitSettings;
import io.aether.core.limit.PeerMarks;
import io.aether.core.limit.Priority;

/** The limiter that the starter uses, on virtual time. */
public final class AetherGate implements Gate {
    private final BranchLimiter limiter;
    private final PeerMarks peer = new PeerMarks();

    public AetherGate(NanoClock clock) {
        limiter = new BranchLimiter(LimitSettings.defaults(), clock);
    }

    @Override
    public boolean pass(Priority priority, float rank) {
        return limiter.tryAcquire(priority, rank);
    }

    @Override
    public void answered(long nanos) {
        limiter.answered();
    }

    @Override
    public void answered(long nanos, int pressure) {
        limiter.answered(pressure);
    }

    @Override
    public void refused(long nanos) {
        limiter.refused();
    }

    @Override
    public void marks(long marked, long clean) {
        peer.read(marked, clean);
        limiter.marks(peer);
    }

    @Override
    public void tick() {
        limiter.tick();
    }

    /** The limiter itself, to look at. */
    public BranchLimiter limiter() {
        return limiter;
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.aether.bench.overload.gate;

import io.aether.core.NanoClock;
import org.jspecify.annotations.Nullable;

/** A token bucket of a fixed rate. */
final class StaticGate implements Gate, Gate.Pass {
    private static final double BURST = 5;

    private final NanoClock clock;
    private final double perNano;
    private double tokens = BURST;
    private long last;

    StaticGate(NanoClock clock, double perSecond) {
        this.clock = clock;
        this.perNano = perSecond / 1e9;
        this.last = clock.nanos();
    }

    @Override
    public synchronized @Nullable Pass ask() {
        long now = clock.nanos();
        tokens = Math.min(BURST, tokens + (now - last) * perNano);
        last = now;
        if (tokens < 1) {
            return null;
        }
        tokens--;
        return this;
    }

    @Override
    public void answered() {}

    @Override
    public void refused() {}

    @Override
    public double limit() {
        return perNano * 1e9;
    }
}

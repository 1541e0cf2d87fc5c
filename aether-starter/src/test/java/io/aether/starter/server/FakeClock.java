// SPDX-License-Identifier: Apache-2.0
package io.aether.starter.server;

import io.aether.core.NanoClock;
import java.util.concurrent.atomic.AtomicLong;

/** A clock that a test moves. */
final class FakeClock implements NanoClock {
    private final AtomicLong now = new AtomicLong(Long.MAX_VALUE - 1_000_000); // It overflows on the way.

    @Override
    public long nanos() {
        return now.get();
    }

    void pass(double millis) {
        now.addAndGet((long) (millis * 1e6));
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.aether.bench.overload.gate;

import com.netflix.concurrency.limits.Limit;
import com.netflix.concurrency.limits.Limiter;
import com.netflix.concurrency.limits.limiter.SimpleLimiter;
import org.jspecify.annotations.Nullable;

/** Netflix's concurrency-limits: so many requests under way, by how long they take. */
final class ConcurrencyGate implements Gate {
    private final Limiter<@Nullable Void> limiter;

    ConcurrencyGate(Limit limit) {
        limiter = SimpleLimiter.newBuilder().limit(limit).build();
    }

    @Override
    public @Nullable Pass ask() {
        return limiter.acquire(null).map(ConcurrencyGate::pass).orElse(null);
    }

    private static Pass pass(Limiter.Listener listener) {
        return new Pass() {
            @Override
            public void answered() {
                listener.onSuccess();
            }

            @Override
            public void refused() {
                listener.onDropped();
            }
        };
    }
}

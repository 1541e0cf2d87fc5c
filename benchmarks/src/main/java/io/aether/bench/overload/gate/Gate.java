// SPDX-License-Identifier: Apache-2.0
package io.aether.bench.overload.gate;

import org.jspecify.annotations.Nullable;

/** What a client asks before it sends. Thread-safe. */
public interface Gate {
    /** A request that passed; one of the two is called once, from any thread. */
    interface Pass {
        void answered();

        void refused();
    }

    /** A request is to be sent: how it passes, or null when it must not. */
    @Nullable
    Pass ask();

    /** Called every 50 ms. */
    default void tick() {}

    /** Requests per second that it lets pass, as far as it knows; infinite for no limit. */
    default double limit() {
        return Double.POSITIVE_INFINITY;
    }

    /** Share of the answers that were marked or refused lately, as far as it knows. */
    default double fraction() {
        return 0;
    }

    /** Lets everything pass. */
    static Gate open() {
        Pass pass = new Pass() {
            @Override
            public void answered() {}

            @Override
            public void refused() {}
        };
        return () -> pass;
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.aether.bench.overload.sim;

import io.aether.core.limit.Priority;

/** What a client asks before it sends: a limiter, or none. Single-threaded. */
public interface Gate {
    /** Whether the request may be sent; if so, one of the three ends is told. */
    boolean pass(Priority priority, float rank);

    /** It was answered after {@code nanos}. */
    void answered(long nanos);

    /**
     * The same.
     *
     * @param pressure that the answer told of, 0 to 255; negative for none
     */
    default void answered(long nanos, int pressure) {
        answered(nanos);
    }

    /** The server refused it. */
    void refused(long nanos);

    /** The packets with CE, and without, that came from the service so far. */
    default void marks(long marked, long clean) {}

    /** Called every 50 ms. */
    default void tick() {}

    /** Lets everything pass. */
    static Gate none() {
        return new Gate() {
            @Override
            public boolean pass(Priority priority, float rank) {
                return true;
            }

            @Override
            public void answered(long nanos) {}

            @Override
            public void refused(long nanos) {}
        };
    }
}

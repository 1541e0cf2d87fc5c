// SPDX-License-Identifier: Apache-2.0
package io.aether.bench.sim.policy;

import java.util.function.Consumer;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/** One client's balancer. Servers are numbered; times are virtual nanoseconds. Not thread-safe. */
public interface Policy {
    /** The registry's list, at the start and whenever it changes. Never empty. */
    void list(int[] servers);

    /** Says which servers are in other zones than the client, before the first list. Most policies make no difference. */
    default void zones(IntPredicate elsewhere) {}

    /** The server for a request that is sent now; it is in flight from here on. */
    int pick(long now);

    /**
     * The request's end.
     *
     * @param load what the answer's header said; null when no answer came
     */
    void done(int server, long sent, long now, Ending ending, @Nullable Load load);

    /** What a policy may ask of the network beside sending requests. */
    interface Network {
        /** Asks a server for its load; the answer comes within a round trip, or never. */
        void probe(int server, Consumer<Load> answer);
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.aether.bench.sim;

import io.aether.bench.sim.policy.Ending;
import io.aether.bench.sim.policy.Load;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** One attempt on its way through a server. Times are virtual nanoseconds. */
final class Request {
    /** Its work as a multiple of the server's mean; drawn before a server is chosen, so that all policies meet the same. */
    final double size;
    /** Told how it ended and what the server says of itself. */
    final BiConsumer<Ending, @Nullable Load> reply;

    final int node;
    long arrived;
    long started;
    /** The server's pauses when it started, for the ones that fall in between. */
    long pausedBefore;

    int inFlightAtArrival;

    Request(double size, int node, BiConsumer<Ending, @Nullable Load> reply) {
        this.size = size;
        this.node = node;
        this.reply = reply;
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.aether.agent.kernel;

import io.aether.core.table.EndpointHealth;
import java.util.List;
import java.util.function.Supplier;

/** Waiting for the probes to find the libraries of processes that have just started. */
final class Seen {
    private static final long LIMIT_NANOS = 20_000_000_000L;
    /** Longer than the pump takes to copy what the kernel counts. */
    private static final long COPIED_MILLIS = 300;

    private Seen() {}

    /** Repeats a request until every endpoint shows an answer; the first of them, with all that came meanwhile. */
    static EndpointHealth after(Runnable request, List<Supplier<EndpointHealth>> endpoints) {
        long end = System.nanoTime() + LIMIT_NANOS;
        while (endpoints.stream().anyMatch(endpoint -> endpoint.get().httpTimeNanos == 0)) {
            if (System.nanoTime() - end > 0) {
                throw new AssertionError("no answer was seen");
            }
            request.run();
            Shell.pause(COPIED_MILLIS);
        }
        Shell.pause(COPIED_MILLIS);
        return endpoints.get(0).get();
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.aether.agent.bpf;

import java.util.List;

/** Told of every change of the health table's flags. Called by one thread, which must not be held up for long. */
@FunctionalInterface
public interface EdgeListener {
    /**
     * Hears of what changed since the last call.
     *
     * @param edges in the order in which they were written
     * @param lost how many more there were since the listener began that found no room on the way; a total
     */
    void changed(List<Edge> edges, long lost);
}

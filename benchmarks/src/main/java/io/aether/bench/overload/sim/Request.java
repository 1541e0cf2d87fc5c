// SPDX-License-Identifier: Apache-2.0
package io.aether.bench.overload.sim;

import io.aether.core.limit.Priority;

/** A request on its way. */
final class Request {
    final Caller caller;
    final Priority priority;
    final long intended;

    Request(Caller caller, Priority priority, long intended) {
        this.caller = caller;
        this.priority = priority;
        this.intended = intended;
    }
}

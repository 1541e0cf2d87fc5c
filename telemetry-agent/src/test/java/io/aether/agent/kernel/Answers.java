// SPDX-License-Identifier: Apache-2.0
package io.aether.agent.kernel;

import io.aether.core.table.EndpointHealth;
import java.util.function.Supplier;

/** Answers of an endpoint by class. */
record Answers(long class2xx, long class4xx, long class5xx, long unknown) {
    static final Answers NONE = new Answers(0, 0, 0, 0);

    static Answers of(EndpointHealth health) {
        return health.httpTimeNanos == 0
                ? NONE
                : new Answers(health.class2xx, health.class4xx, health.class5xx, health.classUnknown);
    }

    /** Waits until an endpoint has exactly these. */
    void await(String whose, Supplier<EndpointHealth> endpoint) {
        Shell.await(
                3_000,
                () -> of(endpoint.get()).equals(this),
                () -> whose + ": expected " + this + ", got " + of(endpoint.get()));
    }
}

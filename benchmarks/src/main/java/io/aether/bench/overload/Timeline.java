// SPDX-License-Identifier: Apache-2.0
package io.aether.bench.overload;

import java.util.List;

/** A bout by tenths of a second. */
record Timeline(List<Slot> slots) {
    /**
     * A tenth of a second.
     *
     * @param wanted requests per second
     * @param served answers per second
     * @param good those within the objective
     * @param allowed requests per second that the clients' limits let pass, where open ones count as their demand
     * @param fraction the clients' mean share of marked or refused answers
     * @param queueMillis the server's estimated wait, as the agent's table has it
     * @param marked share of the segments in this tenth that the server's kernel marked
     */
    record Slot(
            double wanted,
            double served,
            double good,
            double allowed,
            double fraction,
            double queueMillis,
            double marked) {}
}

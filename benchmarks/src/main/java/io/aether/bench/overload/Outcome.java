// SPDX-License-Identifier: Apache-2.0
package io.aether.bench.overload;

import io.aether.core.limit.Priority;
import java.util.Map;

/**
 * What a run came to. All but the two times is of the steady part, from two seconds after the step to the end of the
 * overload.
 *
 * @param goodput answers within the objective, over capacity
 * @param p99Millis of all answers, from the moment the request was to be sent
 * @param refused refusals by the server, over capacity
 * @param jain fairness of the clients' goodput, 1 for equal
 * @param backInTimeSeconds from the step to the first second with 0.8 of capacity served and 95 % of that in time
 * @param fullDemandSeconds from the end of the overload to the first second in which 98 % of the demand is served
 * @param worstClient the least that a client got, as a share of what it wanted or of an even share of capacity,
 *     whichever is less
 * @param tiers of each tier, the share of its demand that was served in time
 */
public record Outcome(
        double goodput,
        double p99Millis,
        double refused,
        double jain,
        double backInTimeSeconds,
        double fullDemandSeconds,
        double worstClient,
        Map<Priority, Double> tiers) {}

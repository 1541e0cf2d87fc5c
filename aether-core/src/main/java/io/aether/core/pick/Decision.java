// SPDX-License-Identifier: Apache-2.0
package io.aether.core.pick;

import java.util.List;

/**
 * A pick and what it saw.
 *
 * @param candidates those compared, the chosen one among them
 * @param chosenClass the best class among the candidates
 * @param reason why this one, in a few words
 */
public record Decision(Instance chosen, List<Candidate> candidates, InstanceClass chosenClass, String reason) {

    /**
     * One of the instances compared.
     *
     * @param cost in ns
     * @param inFlight its requests in flight
     * @param signals each signal that took part, neutral ones included
     */
    public record Candidate(
            Instance instance,
            InstanceClass instanceClass,
            double cost,
            int inFlight,
            List<InstanceSnapshot.SignalValue> signals) {}
}

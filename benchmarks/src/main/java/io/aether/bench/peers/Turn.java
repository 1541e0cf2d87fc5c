// SPDX-License-Identifier: Apache-2.0
package io.aether.bench.peers;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * One block: a policy meets a fault.
 *
 * @param round counted from 0
 */
record Turn(Fault fault, Policy policy, int round) {

    /**
     * All blocks in their order: fault after fault, in each the policies one after the other. Every time another one is first, and
     * every other time they come backwards, so that what the machine does meanwhile, and what a policy leaves behind for the
     * next, hits all alike.
     */
    static List<Turn> all(List<Fault> faults, List<Policy> policies, int rounds) {
        List<Turn> turns = new ArrayList<>();
        // About a third of them further each time: after a few times everybody was early and late.
        int shift = 1 + policies.size() / 3;
        for (int time = 0; time < rounds * faults.size(); time++) {
            List<Policy> order = new ArrayList<>(policies);
            Collections.rotate(order, time * shift);
            if (time % 2 == 1) {
                Collections.reverse(order);
            }
            for (Policy policy : order) {
                turns.add(new Turn(faults.get(time % faults.size()), policy, time / faults.size()));
            }
        }
        return turns;
    }

    /** The seed of the arrivals, the same for every policy. */
    long seed() {
        return 31L * fault.name().hashCode() + round;
    }
}

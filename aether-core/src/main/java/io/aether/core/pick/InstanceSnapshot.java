// SPDX-License-Identifier: Apache-2.0
package io.aether.core.pick;

import java.util.List;

/**
 * What is known of an instance at one moment, for people to read.
 *
 * @param cost what picks compare, in ns
 * @param latencyMillis the latency within the cost: estimate, standstill or penalty, whichever is largest
 * @param signals each signal that took part, neutral ones included
 */
public record InstanceSnapshot(
        InstanceKey key,
        InstanceClass instanceClass,
        double cost,
        int inFlight,
        double latencyMillis,
        long picks,
        long failures,
        List<SignalValue> signals) {

    /**
     * One signal. Its unit is part of its name.
     *
     * @param ageMillis time since it was written; 0 for those computed now
     */
    public record SignalValue(String name, double value, long ageMillis) {}
}

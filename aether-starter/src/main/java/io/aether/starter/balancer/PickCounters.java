// SPDX-License-Identifier: Apache-2.0
package io.aether.starter.balancer;

import io.aether.core.pick.InstanceClass;
import io.aether.core.pick.Mode;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.LongAdder;

/** Picks by mode and by the class of what was picked. Thread-safe. */
public final class PickCounters {

    private final Map<Mode, Map<InstanceClass, LongAdder>> counts = new EnumMap<>(Mode.class);

    PickCounters() {
        for (Mode mode : Mode.values()) {
            Map<InstanceClass, LongAdder> classes = new EnumMap<>(InstanceClass.class);
            for (InstanceClass instanceClass : InstanceClass.values()) {
                classes.put(instanceClass, new LongAdder());
            }
            counts.put(mode, classes);
        }
    }

    void count(Mode mode, InstanceClass instanceClass) {
        adder(mode, instanceClass).increment();
    }

    /** Picks since the application started. In mode off nothing is picked. */
    public long get(Mode mode, InstanceClass instanceClass) {
        return adder(mode, instanceClass).sum();
    }

    /** All picks since the application started. */
    long total() {
        long sum = 0;
        for (Map<InstanceClass, LongAdder> classes : counts.values()) {
            for (LongAdder count : classes.values()) {
                sum += count.sum();
            }
        }
        return sum;
    }

    private LongAdder adder(Mode mode, InstanceClass instanceClass) {
        return Objects.requireNonNull(Objects.requireNonNull(counts.get(mode)).get(instanceClass));
    }
}

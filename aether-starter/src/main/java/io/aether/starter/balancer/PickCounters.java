// SPDX-License-Identifier: Apache-2.0
package io.aether.starter.balancer;

import io.aether.core.pick.InstanceClass;
import io.aether.core.pick.Mode;
import java.util.concurrent.atomic.LongAdder;

/** Picks by mode and by the class of what was picked. Thread-safe. */
public final class PickCounters {

    private static final int CLASSES = InstanceClass.values().length;

    private final LongAdder[] counts = new LongAdder[Mode.values().length * CLASSES];

    PickCounters() {
        for (int i = 0; i < counts.length; i++) {
            counts[i] = new LongAdder();
        }
    }

    void count(Mode mode, InstanceClass instanceClass) {
        counts[index(mode, instanceClass)].increment();
    }

    /** Picks since the application started. In mode off nothing is picked. */
    public long get(Mode mode, InstanceClass instanceClass) {
        return counts[index(mode, instanceClass)].sum();
    }

    private static int index(Mode mode, InstanceClass instanceClass) {
        return mode.ordinal() * CLASSES + instanceClass.ordinal();
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.aether.bench.micro;

import io.aether.core.Dice;
import io.aether.core.NanoClock;
import io.aether.core.pick.Fleet;
import io.aether.core.pick.Instance;
import io.aether.core.pick.InstanceKey;
import io.aether.core.pick.KernelView;
import io.aether.core.pick.Outcome;
import io.aether.core.pick.PickSettings;
import io.aether.core.score.LoadWord;
import java.util.List;
import java.util.stream.IntStream;

/** Fleets as they are after a while: every instance has answered. */
final class Fleets {
    private static final int ANSWERS = 20;
    private static final long LATENCY_NANOS = 2_000_000;
    /** Twice the time between two looks at what is usual in a fleet. */
    private static final long NOTICED_NANOS = 200_000_000;

    private Fleets() {}

    static Fleet fleet(int size, PickSettings settings, KernelView kernel) {
        Fleet fleet = new Fleet("service", settings, NanoClock.system(), Dice.threadLocal(), kernel);
        fleet.update(keys(size));
        for (int i = 0; i < ANSWERS; i++) {
            fleet.instances().forEach(Fleets::answer);
        }
        return fleet;
    }

    /** Its servers say how busy they are, until the fleet has taken notice. */
    static void tell(Fleet fleet) {
        long end = System.nanoTime() + NOTICED_NANOS;
        while (System.nanoTime() - end < 0) {
            fleet.instances().forEach(Fleets::tell);
        }
    }

    private static void tell(Instance instance) {
        instance.reported(LoadWord.read("3 2000"), 0);
        answer(instance);
    }

    static List<InstanceKey> keys(int size) {
        return IntStream.range(0, size)
                .mapToObj(i -> new InstanceKey("service", "http", LiveTable.HOST, LiveTable.FIRST_PORT + i))
                .toList();
    }

    private static void answer(Instance instance) {
        long start = instance.start();
        instance.firstByte(start - LATENCY_NANOS, Outcome.SUCCESS);
        instance.end();
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.aether.core.pick;

import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;

/** Fleets on a clock and dice of the test's own. */
abstract class FleetFixture {
    static final long MILLI = 1_000_000L;
    static final long SECOND = 1000 * MILLI;

    final Random random = new Random(7);
    long now = 100 * SECOND;

    Fleet fleet(int count) {
        return fleet(count, KernelView.NONE);
    }

    Fleet fleet(int count, KernelView kernel) {
        Fleet fleet = new Fleet("s", PickSettings.defaults(), () -> now, random::nextInt, kernel);
        fleet.update(keys(count));
        return fleet;
    }

    static List<InstanceKey> keys(int count) {
        return IntStream.range(0, count)
                .mapToObj(i -> new InstanceKey("s", "http", "10.0.0.1", 8000 + i))
                .toList();
    }

    void answer(Instance instance, long nanos) {
        long start = instance.start();
        now += nanos;
        instance.firstByte(start, Outcome.SUCCESS);
        instance.end();
    }

    static InstanceClass kind(Fleet fleet, Instance instance) {
        return fleet.classOf(instance, Signals.APPLICATION);
    }

    /** How often an instance is picked out of 200 picks, nothing else happening. */
    static long picks(Fleet fleet, Instance instance) {
        return IntStream.range(0, 200)
                .filter(i -> fleet.pick(Signals.APPLICATION) == instance)
                .count();
    }
}

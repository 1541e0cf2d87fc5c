// SPDX-License-Identifier: Apache-2.0
package io.aether.core.pick;

import static org.assertj.core.api.Assertions.assertThat;

import io.aether.core.table.EndpointHealth;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Ten thousand instances of one service: what is done is counted, not timed. */
class ScaleTests {
    private static final int MANY = 10_000;
    private static final long SECOND = 1_000_000_000L;

    private final Random random = new Random(3);
    private final Counting kernel = new Counting();
    private long now = 100 * SECOND;
    private int asked;

    /** Knows nothing, and counts how often it is asked. */
    private static final class Counting implements KernelView {
        private int reads;
        private int prepared;

        @Override
        public boolean read(Instance instance, EndpointHealth into) {
            reads++;
            return false;
        }

        @Override
        public void prepare(Instance instance) {
            prepared++;
        }
    }

    private Fleet fleet(int size) {
        Fleet fleet = new Fleet("s", PickSettings.defaults(), () -> now, random::nextInt, kernel);
        fleet.update(keys(0, size), this::elsewhere);
        return fleet;
    }

    private boolean elsewhere(InstanceKey key) {
        asked++;
        return key.port() % 2 == 1;
    }

    private static List<InstanceKey> keys(int from, int to) {
        return IntStream.range(from, to)
                .mapToObj(i -> new InstanceKey("s", "http", "10.0.0.1", i))
                .toList();
    }

    @Test
    void aPickLooksAtAsManyAsInASmallFleet() {
        for (int size : new int[] {10, 100, MANY}) {
            Fleet fleet = fleet(size);
            for (int i = 0; i < 1000; i++) {
                now += SECOND / 1000; // What was seen a millisecond ago is looked at again.
                kernel.reads = 0;
                Instance instance = fleet.pick(Signals.KERNEL);
                assertThat(instance).isNotNull();
                assertThat(kernel.reads)
                        .as("of %d", size)
                        .isLessThanOrEqualTo(2 * PickSettings.defaults().maxCandidates());
            }
        }
    }

    @Test
    void aRefreshLooksAtEachInstanceOnce() {
        Fleet fleet = fleet(MANY);
        List<Instance> before = List.copyOf(fleet.instances());
        asked = 0;
        kernel.prepared = 0;
        fleet.update(keys(0, MANY), this::elsewhere);
        assertThat(asked).isEqualTo(MANY);
        assertThat(kernel.prepared).isEqualTo(MANY);
        assertThat(fleet.instances()).containsExactlyElementsOf(before);
    }

    @Test
    void aListWithoutTheHealthyHalfLetsAsManyInAsItMust() {
        Fleet fleet = fleet(MANY);
        for (Instance instance : fleet.instances().subList(0, MANY / 2)) {
            instance.refuse(instance.start());
            instance.end();
        }
        List<InstanceKey> rest = fleet.instances().subList(0, MANY / 2 + MANY / 10).stream()
                .map(Instance::key)
                .toList();
        fleet.update(rest);
        long out = fleet.instances().stream()
                .filter(instance -> now < instance.standing().ejectedUntil())
                .count();
        assertThat(out).isEqualTo(rest.size() / 2);
    }
}

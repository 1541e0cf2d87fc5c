// SPDX-License-Identifier: Apache-2.0
package io.aether.bench.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.aether.bench.demo.Schedule.Block;
import io.aether.bench.demo.Schedule.Window;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ScheduleTests {

    private static final List<Arm> ARMS = List.of(Arm.ROUND_ROBIN, Arm.APPLICATION, Arm.KERNEL);
    private static final Set<Fault> ALL = EnumSet.allOf(Fault.class);

    @Test
    void theArmsAreInterleavedForthAndBack() {
        assertThat(Schedule.of(ARMS, ALL, 330).blocks())
                .extracting(Block::arm)
                .containsExactly(
                        Arm.ROUND_ROBIN, Arm.APPLICATION, Arm.KERNEL, Arm.KERNEL, Arm.APPLICATION, Arm.ROUND_ROBIN);
    }

    @ParameterizedTest
    @ValueSource(ints = {30, 60, 330, 600, 3_600})
    void everyArmMeetsTheSameFaultsForTheSameTime(int seconds) {
        Schedule schedule = Schedule.of(ARMS, ALL, seconds);
        assertThat(schedule.windows()).extracting(Window::fault).containsExactly(Fault.values());
        double length = schedule.blocks().get(0).length();
        assertThat(schedule.blocks())
                .allSatisfy(block -> assertThat(block.length()).isEqualTo(length));
        for (Arm arm : ARMS) {
            assertThat(schedule.blocks().stream().filter(block -> block.arm() == arm))
                    .hasSize(schedule.blocks().size() / ARMS.size());
        }
        assertThat(schedule.end() - schedule.warmup()).isCloseTo(seconds, within(1e-6));
        assertThat(length).isLessThanOrEqualTo(70);
    }

    @ParameterizedTest
    @ValueSource(ints = {30, 60, 330})
    void twoFaultsOverlapAndAllEndBeforeTheirBlock(int seconds) {
        Schedule schedule = Schedule.of(ARMS, ALL, seconds);
        List<Window> windows = schedule.windows();
        for (int i = 1; i < windows.size(); i++) {
            assertThat(windows.get(i).start())
                    .isBetween(windows.get(i - 1).start(), windows.get(i - 1).end());
            if (i > 1) {
                assertThat(windows.get(i).start())
                        .isGreaterThan(windows.get(i - 2).end());
            }
        }
        assertThat(windows.get(windows.size() - 1).end())
                .isLessThan(schedule.blocks().get(0).length());
    }

    @Test
    void withoutFaultsThereAreOnlyBlocks() {
        assertThat(Schedule.of(ARMS, Set.of(), 330).windows()).isEmpty();
    }

    @Test
    void theBeginOfABlockDoesNotCount() {
        Block block = Schedule.of(ARMS, ALL, 330).blocks().get(1);
        assertThat(block.counts(block.start() + Schedule.SETTLE - 0.01)).isFalse();
        assertThat(block.counts(block.start() + Schedule.SETTLE)).isTrue();
        assertThat(block.counts(block.end())).isFalse();
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.aether.bench.peers;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class TurnTests {
    private static final List<Fault> FAULTS = List.of(Fault.values());
    private static final List<Policy> POLICIES = List.of(Policy.values());
    private final List<Turn> turns = Turn.all(FAULTS, POLICIES, 2);

    private List<Policy> group(int index) {
        return turns.subList(index * POLICIES.size(), (index + 1) * POLICIES.size()).stream()
                .map(Turn::policy)
                .toList();
    }

    @Test
    void everyPolicyMeetsEveryFaultInEveryRound() {
        assertThat(turns).hasSize(2 * FAULTS.size() * POLICIES.size()).doesNotHaveDuplicates();
        for (int group = 0; group < 2 * FAULTS.size(); group++) {
            assertThat(group(group)).containsExactlyInAnyOrderElementsOf(POLICIES);
        }
    }

    @Test
    void nobodyIsAlwaysFirstNorAlwaysAfterTheSame() {
        Set<Policy> first = new HashSet<>();
        for (int group = 0; group < 2 * FAULTS.size(); group++) {
            first.add(group(group).get(0));
        }
        assertThat(first).hasSizeGreaterThan(FAULTS.size() / 2);
        for (Policy policy : POLICIES) {
            long before = IntStream.range(1, turns.size())
                    .filter(i -> turns.get(i).policy() == policy)
                    .mapToObj(i -> turns.get(i - 1).policy())
                    .distinct()
                    .count();
            assertThat(before).as(policy.label()).isGreaterThanOrEqualTo(2);
        }
    }

    @Test
    void arrivalsAreTheSameForEveryPolicyAndOthersInTheNextRound() {
        for (Fault fault : FAULTS) {
            assertThat(turns.stream()
                            .filter(turn -> turn.fault() == fault)
                            .map(Turn::seed)
                            .distinct())
                    .hasSize(2);
        }
    }
}

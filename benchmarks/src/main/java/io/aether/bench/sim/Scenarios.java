// SPDX-License-Identifier: Apache-2.0
package io.aether.bench.sim;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** All of them, in the order of the report. */
final class Scenarios {
    private Scenarios() {}

    static List<Scenario> all() {
        List<Scenario> all = new ArrayList<>();
        all.addAll(Healthy.all());
        all.addAll(Troubled.all());
        all.addAll(Changing.all());
        all.addAll(Zoned.all());
        return List.copyOf(all);
    }

    static List<Scenario> named(String part) {
        return all().stream()
                .filter(scenario -> Stream.of(part.split(",")).anyMatch(scenario.name()::contains))
                .toList();
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.aether.agent.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The page about metrics and the code name the same metrics. */
class DocumentationTests {
    private static final Pattern ROW =
            Pattern.compile("^\\| `(aether_(?:peer|endpoint|cgroup|ebpf|guard)_[a-z0-9_]+)`");

    @Test
    void namesEveryMetricAndNoOther() throws IOException {
        assertThat(documented()).isEqualTo(exported());
    }

    private static Set<String> exported() {
        Set<String> names = new TreeSet<>(Set.of(
                "aether_cgroup_run_queue_seconds",
                "aether_cgroup_preempted_total",
                "aether_cgroup_throttles_total",
                "aether_cgroup_throttled_seconds_total"));
        Stream.of(
                        PeerSample.COLUMNS,
                        LocalSample.COLUMNS,
                        EcnSample.PEER,
                        EcnSample.LOCAL,
                        SelfSeries.AGENT,
                        SelfSeries.PROBES,
                        SelfSeries.TABLE,
                        SelfSeries.PUMP,
                        ControlSeries.CONTROL,
                        ProbeSeries.MAPS,
                        ProbeSeries.NUMBERS,
                        SelfSeries.PROGRAMS,
                        StreamCollector.STREAM,
                        GuardCollector.VERDICTS,
                        GuardCollector.INTERFACES,
                        GuardCollector.LISTS,
                        GuardCollector.GUARD)
                .flatMap(List::stream)
                .forEach(column -> names.add(column.counter() ? column.name() + "_total" : column.name()));
        for (String prefix : List.of(EndpointSeries.PEER, EndpointSeries.LOCAL)) {
            HttpSample.columns(prefix).forEach(column -> names.add(column.name()));
            names.add(HttpSample.classes(prefix, Map.of()).getMetadata().getName() + "_total");
        }
        return names;
    }

    private static Set<String> documented() throws IOException {
        try (Stream<String> lines = Files.lines(Path.of("../docs/metrics.md"))) {
            return lines.flatMap(line -> ROW.matcher(line).results())
                    .map((MatchResult row) -> row.group(1))
                    .collect(Collectors.toCollection(TreeSet::new));
        }
    }
}

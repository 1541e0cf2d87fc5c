// SPDX-License-Identifier: Apache-2.0
package io.aether.agent.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import io.aether.agent.bpf.MapStats;
import io.aether.agent.bpf.ProbeCounters;
import io.aether.agent.bpf.ProgramStats;
import io.aether.agent.cgroup.CgroupFinder;
import io.aether.agent.cgroup.CgroupNotFoundException;
import java.nio.file.Path;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** What the agent says of itself, in trouble too. */
@RequiresKernel
class SelfIT {
    /** The capacity of the map of listeners. */
    private static final int LISTENERS = 1024;

    @Test
    void tellsWhichMapIsFullAndWhy() throws CgroupNotFoundException {
        try (Cgroup cgroup =
                        new Cgroup(new CgroupFinder(Path.of("/")).find(null).path());
                Watch watch = new Watch(cgroup.directory(), UnaryOperator.identity());
                Namespace namespace = new Namespace();
                Traffic server = new Traffic(namespace)) {
            cgroup.add(server.pid());
            MapStats before = locals(watch);
            assertThat(before.entries()).isZero();
            assertThat(before.capacity()).isEqualTo(LISTENERS);

            for (int i = 0; i < LISTENERS + 10; i++) {
                server.tell("listen * 0");
            }
            assertThat(locals(watch).entries()).isEqualTo(LISTENERS);
            ProbeCounters queue = queue(watch);
            assertThat(queue.mapErrors().get("E2BIG")).isGreaterThanOrEqualTo(10);
            assertThat(queue.mapErrors().get("ENOMEM")).isZero();
            assertThat(queue.lastEventNanos()).isPositive();
            assertThat(watch.probes().counters().mapErrors()).isGreaterThanOrEqualTo(10);
        }
    }

    @Test
    void countsRunsWhenAsked() throws CgroupNotFoundException {
        try (Cgroup cgroup =
                        new Cgroup(new CgroupFinder(Path.of("/")).find(null).path());
                Watch watch = new Watch(cgroup.directory(), UnaryOperator.identity());
                Busy busy = new Busy(0)) {
            cgroup.add(busy.pid());
            assertThat(watch.probes().countRuns()).isTrue();
            Shell.await(
                    5_000,
                    () -> program(watch, "aether_switch").runs() > 100,
                    () -> "runs of " + program(watch, "aether_switch"));
            assertThat(program(watch, "aether_switch").runNanos()).isPositive();
        }
    }

    private static MapStats locals(Watch watch) {
        Map<String, MapStats> maps = watch.probes().maps().stream()
                .collect(Collectors.toMap(map -> map.probe() + "/" + map.name(), map -> map));
        // The one that health borrows is told once.
        assertThat(maps)
                .containsKeys("flow/peers", "queue/unread", "sched/waits", "health/heard")
                .doesNotContainKey("health/queue_locals");
        return maps.get("queue/locals");
    }

    private static ProbeCounters queue(Watch watch) {
        return watch.probes().probeCounters().stream()
                .filter(probe -> probe.probe().equals("queue"))
                .findFirst()
                .orElseThrow();
    }

    private static ProgramStats program(Watch watch, String name) {
        return watch.probes().counters().programs().stream()
                .filter(program -> program.name().equals(name))
                .findFirst()
                .orElseThrow();
    }
}

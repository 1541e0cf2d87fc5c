// SPDX-License-Identifier: Apache-2.0
package io.aether.agent.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.aether.agent.bpf.ProbeStatus;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What comes before the agent, and what stays after it. */
@RequiresKernel
@ExtendWith(SharedWatch.class)
class LifecycleIT {
    @Test
    void attachesEveryProbe(Watch watch) {
        assertThat(watch.statuses())
                .extracting(ProbeStatus::name, ProbeStatus::state)
                .containsExactly(
                        tuple("flow", ProbeStatus.State.ATTACHED),
                        tuple("queue", ProbeStatus.State.ATTACHED),
                        tuple("sched", ProbeStatus.State.ATTACHED),
                        tuple("health", ProbeStatus.State.ATTACHED),
                        tuple("http", ProbeStatus.State.ATTACHED),
                        tuple("tls", ProbeStatus.State.ATTACHED),
                        tuple("ecn", ProbeStatus.State.ATTACHED),
                        tuple("cc", ProbeStatus.State.DISABLED));
    }

    @Test
    void adoptsConnectionsOlderThanItself(Cable cable) {
        try (Traffic server = new Traffic(cable.server());
                Traffic client = new Traffic(cable.client())) {
            int port = Integer.parseInt(server.tell("listen * 0"));
            String id = client.tell("connect " + Cable.SERVER + " " + port);
            client.tell("ping " + id + " 5");

            try (Watch late = new Watch()) {
                client.tell("ping " + id + " 50");
                Shell.await(
                        3_000,
                        () -> late.peer(cable.client(), Cable.SERVER, port).srttMicros > 0
                                && late.local(cable.server(), port).reads > 0,
                        () -> "the old connection at both ends");
                assertThat(late.peer(cable.client(), Cable.SERVER, port).pathConnections)
                        .isEqualTo(1);
                assertThat(late.local(cable.server(), port).queueConnections).isEqualTo(1);
            }
        }
    }

    @Test
    void leavesNothingInTheKernel() throws IOException {
        Set<String> before = kernelObjects();
        List<ProbeStatus> statuses;
        Set<String> during;
        try (Watch watch = new Watch()) {
            statuses = watch.statuses();
            during = kernelObjects();
        }

        assertThat(statuses).hasSize(8);
        assertThat(during).hasSizeGreaterThan(before.size());
        // The shared watch may meanwhile have let go of the libraries of processes that ended.
        assertThat(before).containsAll(kernelObjects());
    }

    /** Every program, map and link this process holds; nothing is pinned, so what it does not hold is gone. */
    private static Set<String> kernelObjects() throws IOException {
        Set<String> objects = new TreeSet<>();
        try (Stream<Path> descriptors = Files.list(Path.of("/proc/self/fdinfo"))) {
            for (Path descriptor : descriptors.toList()) {
                readable(descriptor).stream()
                        .filter(line -> line.startsWith("prog_id:")
                                || line.startsWith("map_id:")
                                || line.startsWith("link_id:"))
                        .forEach(objects::add);
            }
        }
        return objects;
    }

    private static List<String> readable(Path descriptor) {
        try {
            return Files.readAllLines(descriptor);
        } catch (IOException closedMeanwhile) {
            return List.of();
        }
    }
}

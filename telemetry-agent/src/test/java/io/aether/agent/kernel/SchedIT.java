// SPDX-License-Identifier: Apache-2.0
package io.aether.agent.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.aether.agent.bpf.Histograms;
import io.aether.core.table.EndpointHealth;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Waits for a CPU: because others want it, and because the quota is used up. */
@RequiresKernel
@ExtendWith(SharedWatch.class)
class SchedIT {
    private static final Path VERSION1 = Path.of("/sys/fs/cgroup/cpu");
    /** The first bucket of waits of 33 ms and more. */
    private static final int LONG_WAIT = 16;

    @Test
    void countsTheWaitsOfTasksThatShareACpu(Watch watch) {
        try (Cgroup cgroup = new Cgroup(Area.directory());
                Busy one = new Busy(0);
                Busy two = new Busy(0);
                Busy three = new Busy(0)) {
            cgroup.add(one.pid());
            cgroup.add(two.pid());
            cgroup.add(three.pid());

            Shell.await(10_000, () -> runQueue(watch, cgroup).count() > 100, () -> "waits in " + cgroup.directory());
            Histograms.RunQueue waits = runQueue(watch, cgroup);
            assertThat(waits.sumNanos() / waits.count()).isGreaterThan(500_000);
            assertThat(waits.preemptedByOwn()).isPositive();
        }
    }

    @Test
    void countsTheWaitForQuota(Watch watch) throws IOException {
        try (Cgroup watched = new Cgroup(Area.directory());
                Cgroup limited = quotaGroup(watched);
                Busy busy = new Busy(1)) {
            watched.add(busy.pid());
            limited.add(busy.pid());

            // Waits are counted by the v2 cgroup: its own where the quota lies in a v1 hierarchy.
            Cgroup counted = limited.directory().startsWith(VERSION1) ? watched : limited;
            // 20 ms of every 100 ms: each period ends in a wait of about 80 ms.
            Shell.await(
                    10_000,
                    () -> runQueue(watch, counted).counts().stream()
                                    .skip(LONG_WAIT)
                                    .mapToLong(Long::longValue)
                                    .sum()
                            >= 5,
                    () -> "long waits in " + runQueue(watch, counted));
            assertThat(Files.readString(limited.directory().resolve("cpu.stat")))
                    .doesNotContain("nr_throttled 0\n");
        }
    }

    @Test
    void tellsAListenerHowItsCgroupWaits(Watch watch, Cable cable) {
        try (Cgroup cgroup = new Cgroup(Area.directory());
                Traffic server = new Traffic(cable.server());
                Traffic client = new Traffic(cable.client());
                Busy one = new Busy(0);
                Busy two = new Busy(0)) {
            cgroup.add(server.pid());
            cgroup.add(one.pid());
            cgroup.add(two.pid());
            int port = Integer.parseInt(server.tell("listen * 0"));
            String id = client.tell("connect " + Cable.SERVER + " " + port);
            client.tell("ping " + id + " 20");

            Shell.await(
                    5_000,
                    () -> watch.local(cable.server(), port).runQueueMicros > 200
                            && watch.local(cable.server(), port).runQueueP99Micros > 1_000,
                    () -> "run-queue waits, got " + watch.local(cable.server(), port).runQueueMicros);
            EndpointHealth local = watch.local(cable.server(), port);
            assertThat(local.cgroup).isEqualTo(cgroup.id());
            assertThat(watch.peer(cable.client(), Cable.SERVER, port).runQueueP99Micros)
                    .isPositive();
        }
    }

    /** A cgroup with a fifth of a CPU, in whatever hierarchy has the controller here. */
    private static Cgroup quotaGroup(Cgroup watched) throws IOException {
        if (Files.exists(VERSION1.resolve("cpu.cfs_quota_us"))) {
            Cgroup limited = new Cgroup(VERSION1);
            limited.set("cpu.cfs_period_us", "100000");
            limited.set("cpu.cfs_quota_us", "20000");
            return limited;
        }
        boolean delegated = Files.readString(Area.directory().resolve("cgroup.subtree_control"))
                .contains("cpu");
        assumeTrue(delegated, "the cpu controller is not available to cgroups here");
        Cgroup limited = new Cgroup(Area.directory());
        limited.set("cpu.max", "20000 100000");
        return limited;
    }

    private static Histograms.RunQueue runQueue(Watch watch, Cgroup cgroup) {
        for (Histograms.RunQueue runQueue : watch.probes().runQueue().cgroups()) {
            if (runQueue.cgroup() == cgroup.id()) {
                return runQueue;
            }
        }
        return new Histograms.RunQueue(0, 0, 0, 0, Collections.nCopies(Histograms.BUCKETS, 0L));
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.aether.agent.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import io.aether.agent.bpf.Histograms;
import io.aether.core.table.EndpointHealth;
import java.io.IOException;
import java.util.Collections;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Waits for a CPU: because others want it, and because the quota is used up. */
@RequiresKernel
@ExtendWith(SharedWatch.class)
class SchedIT {
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
            assertThat(waits.preemptions().own()).isPositive();
        }
    }

    /** A process that ends after a moment has not gathered enough waits to hand them over before. */
    @Test
    void countsTheWaitsOfProcessesThatSoonEnd(Watch watch) {
        try (Cgroup cgroup = new Cgroup(Area.directory())) {
            Shell.run(
                    "bash",
                    "-c",
                    "echo $$ > " + cgroup.directory().resolve("cgroup.procs")
                            + "; for i in $(seq 100); do /bin/true; done");
            assertThat(runQueue(watch, cgroup).count()).isGreaterThanOrEqualTo(100);
        }
    }

    @Test
    void tellsWhoTookTheCpu(Watch watch) {
        try (Cgroup cgroup = new Cgroup(Area.directory());
                Cgroup competitor = new Cgroup(Area.directory());
                Busy one = new Busy(1);
                Busy other = new Busy(1)) {
            cgroup.add(one.pid());
            competitor.add(other.pid());

            Shell.await(
                    10_000,
                    () -> runQueue(watch, cgroup).preemptions().others() > 50,
                    () -> "preemptions in " + runQueue(watch, cgroup));
            assertThat(runQueue(watch, cgroup).preemptions().own()).isZero();
            assertThat(runQueue(watch, competitor).preemptions().others()).isPositive();
        }
    }

    @Test
    void splitsTheWaitForQuotaFromTheWaitForACpu(Watch watch) throws IOException {
        try (Cgroup watched = new Cgroup(Area.directory());
                Cgroup limited = Quota.group(20_000);
                Busy busy = new Busy(1)) {
            watched.add(busy.pid());
            limited.add(busy.pid());
            long before = Quota.throttledNanos(limited);

            // Waits are counted by the v2 cgroup: its own where the quota lies in a v1 hierarchy.
            Cgroup counted = Quota.version1() ? watched : limited;
            // 20 ms of every 100 ms: each period ends in a gap of about 80 ms.
            Shell.await(
                    10_000,
                    () -> runQueue(watch, counted).throttles() >= 10,
                    () -> "throttling in " + runQueue(watch, counted));
            Histograms.RunQueue seen = runQueue(watch, counted);
            assertThat((double) seen.throttledNanos() / (Quota.throttledNanos(limited) - before))
                    .as("as the kernel counts it")
                    .isBetween(0.7, 1.3);
            assertThat(seen.throttledNanos() / seen.throttles()).isGreaterThan(40_000_000);
            assertThat(seen.counts().stream()
                            .skip(LONG_WAIT)
                            .mapToLong(Long::longValue)
                            .sum())
                    .as("gaps counted as waits for a CPU")
                    .isLessThan(seen.throttles() / 2);
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

    private static Histograms.RunQueue runQueue(Watch watch, Cgroup cgroup) {
        for (Histograms.RunQueue runQueue : watch.probes().runQueue().cgroups()) {
            if (runQueue.cgroup() == cgroup.id()) {
                return runQueue;
            }
        }
        return new Histograms.RunQueue(
                0, 0, new Histograms.Preemptions(0, 0, 0), 0, 0, Collections.nCopies(Histograms.BUCKETS, 0L));
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.aether.agent.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import io.aether.agent.cgroup.CgroupFinder;
import io.aether.agent.cgroup.CgroupNotFoundException;
import io.aether.core.table.EndpointHealth;
import io.aether.core.table.TableLayout;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A service uses up its quota, and its clients know it while it stands still: before the controller has counted anything, and
 * so before any look at its statistics, every 100 ms, could have told.
 */
@RequiresKernel
class QuotaHintIT {
    private static final int EPISODES = 8;
    private static final int QUOTA_MICROS = 20_000;
    private static final long PERIOD_MILLIS = 100;
    private static final long LEAST_GAP_NANOS = TimeUnit.MILLISECONDS.toNanos(20);
    private static final long LIMIT_NANOS = TimeUnit.MILLISECONDS.toNanos(400);

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void reachesPeersBeforeItCanBeMeasured(boolean sameNode) throws IOException, CgroupNotFoundException {
        try (Cgroup cgroup =
                        new Cgroup(new CgroupFinder(Path.of("/")).find(null).path());
                Cgroup limited = Quota.group(QUOTA_MICROS);
                Watch watch = new Watch(cgroup.directory(), settings -> settings.withNodeReports(sameNode));
                Cable cable = new Cable();
                Traffic server = new Traffic(cable.server());
                Traffic client = new Traffic(cable.client());
                Busy busy = new Busy(0)) {
            Shell.run("kill", "-STOP", Long.toString(busy.pid()));
            for (long pid : new long[] {server.pid(), client.pid(), busy.pid()}) {
                cgroup.add(pid);
            }
            int port = Integer.parseInt(server.tell("listen * 0"));
            client.tell("connect " + Cable.SERVER + " " + port);
            client.tell("ping 1 20");
            limited.add(server.pid());
            limited.add(busy.pid());

            int early = 0;
            for (int i = 0; i < EPISODES; i++) {
                Shell.await(
                        5_000,
                        () -> !hinted(send(watch, cable, client, port), sameNode),
                        () -> "the last hint is not taken back");
                Shell.run("kill", "-CONT", Long.toString(busy.pid()));
                EndpointHealth peer = awaitHint(watch, cable, client, port, sameNode);
                long counted = Quota.throttledNanos(limited);
                // Nothing uses up quota from here on: what is added to the figure is the gap that was hinted at.
                Shell.run("kill", "-STOP", Long.toString(busy.pid()));
                Shell.pause(PERIOD_MILLIS);
                early += hinted(peer, sameNode) && Quota.throttledNanos(limited) - counted > LEAST_GAP_NANOS ? 1 : 0;
                assertThat(peer.source).isEqualTo(sameNode ? TableLayout.FROM_NODE : TableLayout.FROM_OPTION);
            }
            assertThat(early).as("hints that came before the figure").isGreaterThanOrEqualTo(EPISODES / 2);
        }
    }

    private static EndpointHealth awaitHint(Watch watch, Cable cable, Traffic client, int port, boolean sameNode) {
        long start = System.nanoTime();
        EndpointHealth peer = send(watch, cable, client, port);
        while (!hinted(peer, sameNode) && System.nanoTime() - start < LIMIT_NANOS) {
            peer = send(watch, cable, client, port);
        }
        return peer;
    }

    /** A request every millisecond or two, whose acknowledgement or answer can carry the word. */
    private static EndpointHealth send(Watch watch, Cable cable, Traffic client, int port) {
        client.tell("send 1 1");
        Shell.pause(1);
        return watch.peer(cable.client(), Cable.SERVER, port);
    }

    /** Over half a period without CPU. */
    private static boolean hinted(EndpointHealth peer, boolean sameNode) {
        return sameNode ? peer.throttledPermille > 500 : peer.pressure > 127;
    }
}

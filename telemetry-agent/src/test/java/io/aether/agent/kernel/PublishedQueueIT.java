// SPDX-License-Identifier: Apache-2.0
package io.aether.agent.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import io.aether.core.publish.QueueLayout;
import io.aether.core.table.EndpointHealth;
import io.aether.core.table.TableLayout;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What applications publish of their queues, and what others put into the same place. */
@RequiresKernel
@ExtendWith(SharedWatch.class)
class PublishedQueueIT {
    private static final long SOON = 5_000;

    private final Cable cable;
    private Cgroup cgroup;
    private Traffic server;
    private Traffic client;
    private int port;

    PublishedQueueIT(Cable cable) {
        this.cable = cable;
    }

    @BeforeEach
    void start() {
        cgroup = new Cgroup(Area.directory().getParent());
        server = Traffic.publishing(cable.server());
        client = new Traffic(cable.client());
        cgroup.add(server.pid());
        cgroup.add(client.pid());
    }

    @AfterEach
    void stop() throws Exception {
        for (AutoCloseable each : new AutoCloseable[] {client, server, cgroup}) {
            if (each != null) {
                each.close();
            }
        }
    }

    private Watch watch(boolean nodeReports) {
        Watch watch = new Watch(
                cgroup.directory(),
                settings -> settings.withProbes(true, true, false).withNodeReports(nodeReports));
        port = Integer.parseInt(server.tell("listen * 0"));
        String id = client.tell("connect " + Cable.SERVER + " " + port);
        client.tell("ping " + id + " 5");
        return watch;
    }

    private EndpointHealth local(Watch watch) {
        return watch.local(cable.server(), port);
    }

    private EndpointHealth peer(Watch watch) {
        return watch.peer(cable.client(), Cable.SERVER, port);
    }

    @Test
    void reachesListenerAndPeersAndEndsWithItsProcess() throws IOException {
        try (Watch watch = watch(true)) {
            assertThat(Files.getPosixFilePermissions(watch.applications()))
                    .isEqualTo(PosixFilePermissions.fromString("rwxrwxrwx"));
            String file = server.tell("publish " + watch.applications() + " " + port + " 8 30 40000");
            Shell.await(SOON, () -> local(watch).estimatedWaitMicros == 40_000, () -> "the published wait");
            assertThat(local(watch).waiting).isEqualTo(30);
            assertThat(local(watch).inFlight).isEqualTo(38);
            assertThat(local(watch).pressure).isEqualTo(255);
            Shell.await(SOON, () -> peer(watch).estimatedWaitMicros == 40_000, () -> "the peer's");
            assertThat(peer(watch).pressure).isEqualTo(255);
            assertThat(watch.probes().counters().applications()).isEqualTo(1);

            // It promises less: a wait of 40 ms is a tenth of what it is marked for in full.
            server.tell("publish " + watch.applications() + " " + port + " 8 30 40000 20000 400000");
            Shell.await(SOON, () -> local(watch).pressure < 40, () -> "pressure " + local(watch).pressure);

            server.close();
            Shell.await(SOON, () -> watch.probes().counters().applications() == 0, () -> "no application");
            Shell.await(SOON, () -> local(watch).estimatedWaitMicros == 0, () -> "no wait");
            Files.deleteIfExists(Path.of(file));
        }
    }

    @Test
    void countsForNothingWhileItsProcessIsStopped() throws IOException {
        try (Watch watch = watch(true)) {
            String file = server.tell("publish " + watch.applications() + " " + port + " 8 30 40000");
            Shell.await(SOON, () -> local(watch).waiting == 30, () -> "the published queue");
            server.freeze();
            Shell.await(SOON, () -> local(watch).waiting == 0, () -> "silence");
            server.thaw();
            Shell.await(SOON, () -> local(watch).waiting == 30, () -> "the queue again");
            server.close();
            Files.deleteIfExists(Path.of(file));
        }
    }

    @Test
    void tellsOtherNodesByItsPressure() throws IOException {
        try (Watch watch = watch(false)) {
            String file = server.tell("publish " + watch.applications() + " " + port + " 8 30 40000");
            Shell.await(SOON, () -> local(watch).pressure == 255, () -> "pressure here");
            String id = client.tell("connect " + Cable.SERVER + " " + port);
            client.tell("ping " + id + " 5");
            Shell.await(SOON, () -> peer(watch).pressure >= 240, () -> "pressure there: " + peer(watch).pressure);
            assertThat(peer(watch).source).isEqualTo(TableLayout.FROM_OPTION);
            assertThat(peer(watch).inFlight).isBetween(30L, 48L);
            server.close();
            Files.deleteIfExists(Path.of(file));
        }
    }

    @Test
    void speaksForNoEndpointOfAnother() throws IOException {
        try (Watch watch = watch(true);
                Cgroup elsewhere = new Cgroup(Area.directory().getParent());
                Traffic stranger = Traffic.publishing(cable.server());
                Traffic neighbour = Traffic.publishing(cable.client())) {
            elsewhere.add(stranger.pid());
            cgroup.add(neighbour.pid());
            // One in the same network namespace, one in the same cgroup.
            String first = stranger.tell("publish " + watch.applications() + " " + port + " 8 30 40000");
            String second = neighbour.tell("publish " + watch.applications() + " " + port + " 8 30 40000");
            Shell.await(SOON, () -> watch.probes().counters().applications() == 2, () -> "both read");
            Shell.pause(100);
            assertThat(local(watch).estimatedWaitMicros).isZero();
            assertThat(local(watch).waiting).isZero();
            Files.delete(Path.of(first));
            Files.delete(Path.of(second));
        }
    }

    @Test
    void ignoresAndCountsWhatMakesNoSense() throws IOException {
        try (Watch watch = watch(true)) {
            Path directory = watch.applications();
            Files.createFile(directory.resolve("empty"));
            Files.write(directory.resolve("short"), new byte[QueueLayout.SIZE - 1]);
            Files.write(directory.resolve("zeros"), new byte[QueueLayout.SIZE]);
            Files.write(directory.resolve("long"), new byte[1_000_000]);
            Files.write(directory.resolve("nobodys"), valid());
            Files.createSymbolicLink(directory.resolve("link"), Path.of("/proc/self/mem"));
            Files.createDirectory(directory.resolve("directory"));
            Shell.run("mkfifo", directory.resolve("pipe").toString());
            long ticks = watch.probes().counters().ticks();
            try {
                Shell.await(
                        2 * SOON,
                        () -> watch.probes().counters().refusedApplications() == 8,
                        () -> "refused " + watch.probes().counters().refusedApplications());
                Shell.pause(1_200);
                // Each is counted once.
                assertThat(watch.probes().counters().refusedApplications()).isEqualTo(8);
                assertThat(watch.probes().counters().applications()).isZero();
                assertThat(watch.probes().counters().ticks() - ticks).isGreaterThan(200);
                assertThat(local(watch).waiting).isZero();
            } finally {
                try (Stream<Path> files = Files.list(directory)) {
                    for (Path file : files.toList()) {
                        Files.delete(file);
                    }
                }
            }
        }
    }

    /** In everything but that no process holds its lock. */
    private byte[] valid() {
        ByteBuffer app = ByteBuffer.allocate(QueueLayout.SIZE).order(ByteOrder.LITTLE_ENDIAN);
        app.putLong(QueueLayout.MAGIC_OFFSET, QueueLayout.MAGIC);
        app.putInt(QueueLayout.VERSION_OFFSET, QueueLayout.VERSION);
        app.putInt(QueueLayout.SIZE_OFFSET, QueueLayout.SIZE);
        app.putInt(QueueLayout.PORT_COUNT_OFFSET, 1);
        app.putShort(QueueLayout.PORTS_OFFSET, (short) port);
        app.putLong(QueueLayout.TIME_NS_OFFSET, System.nanoTime());
        app.putInt(QueueLayout.WAITING_OFFSET, 1000);
        return app.array();
    }
}

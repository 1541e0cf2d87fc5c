// SPDX-License-Identifier: Apache-2.0
package io.aether.agent.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.aether.agent.bpf.Pins;
import io.aether.agent.bpf.ProbesUnavailableException;
import io.aether.core.table.TableLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Agents that come after one another, and at once, over the same pins. */
@RequiresKernel
@Timeout(120)
@ExtendWith(SharedWatch.class)
class TakeoverIT {
    @TempDir
    Path directory;

    private int tables;

    /** Each agent writes a table of its own: that of a killed one counts as alive for a second. */
    private Pinned start(BpfFileSystem files, boolean keep) {
        return new Pinned(directory.resolve("health" + ++tables), Area.directory(), files.pins(), keep);
    }

    @Test
    void countsOnWhileNoAgentRuns(Cable cable) {
        try (BpfFileSystem files = new BpfFileSystem();
                Traffic server = new Traffic(cable.server());
                Traffic client = new Traffic(cable.client())) {
            int port = Integer.parseInt(server.tell("listen * 0"));
            Pinned first = start(files, false);
            assertThat(first.states().values()).containsOnly("ATTACHED");
            assertThat(first.pins().values()).containsOnly("NEW");
            String id = client.tell("connect " + Cable.SERVER + " " + port);
            client.tell("ping " + id + " 100");
            awaitArrivals(first, cable, port, 100);
            long segments = first.peer(cable.client(), Cable.SERVER, port).segsOut;

            first.kill();
            client.tell("ping " + id + " 50");
            assertThat(first.programs()).allMatch(Pinned::isLoaded);

            try (Pinned second = start(files, false)) {
                assertThat(second.states().values()).containsOnly("ATTACHED");
                assertThat(second.pins().values()).containsOnly("TAKEN");
                awaitArrivals(second, cable, port, 150);
                client.tell("ping " + id + " 25");
                awaitArrivals(second, cable, port, 175);
                Shell.await(
                        5_000,
                        () -> {
                            // What was sent in the last 32 ms before it fell silent is counted with its next sample.
                            client.tell("ping " + id + " 1");
                            return second.peer(cable.client(), Cable.SERVER, port).segsOut >= segments + 75;
                        },
                        () -> second.peer(cable.client(), Cable.SERVER, port).segsOut + " segments");
                assertThat(second.peer(cable.client(), Cable.SERVER, port).pathConnections)
                        .isEqualTo(1);
                assertThat(second.local(cable.server(), port).queueConnections).isEqualTo(1);
            }
        }
    }

    private static void awaitArrivals(Pinned agent, Cable cable, int port, long count) {
        Shell.await(
                5_000,
                () -> agent.local(cable.server(), port).arrivals == count,
                () -> agent.local(cable.server(), port).arrivals + " arrivals, not " + count);
    }

    @Test
    void missesNothingWhileTakingOver(Cable cable) throws Exception {
        try (BpfFileSystem files = new BpfFileSystem();
                Traffic server = new Traffic(cable.server());
                Traffic client = new Traffic(cable.client())) {
            int port = Integer.parseInt(server.tell("listen * 0"));
            Pinned first = start(files, false);
            String id = client.tell("connect " + Cable.SERVER + " " + port);
            Pings pings = new Pings(client, id);
            pings.start();
            Shell.await(5_000, () -> pings.done() > 200, () -> pings.done() + " pings");

            first.kill();
            try (Pinned second = start(files, false)) {
                long atStart = pings.done();
                Shell.await(5_000, () -> pings.done() > atStart + 200, () -> pings.done() + " pings");
                long sent = pings.finish();
                Shell.await(
                        5_000,
                        () -> second.local(cable.server(), port).arrivals >= sent,
                        () -> second.local(cable.server(), port).arrivals + " arrivals of " + sent);
                Shell.pause(100);
                assertThat(second.local(cable.server(), port).arrivals).isEqualTo(sent);
            }
        }
    }

    @Test
    void replacesWhatItDoesNotUnderstand() {
        try (BpfFileSystem files = new BpfFileSystem()) {
            Pinned first = start(files, false);
            first.kill();
            files.falsifyLayout("flow");

            try (Pinned second = start(files, false)) {
                assertThat(second.pins()).containsEntry("flow", "REPLACED").containsEntry("queue", "TAKEN");
                assertThat(second.states().values()).containsOnly("ATTACHED");
                assertThat(first.programs()).noneMatch(Pinned::isLoaded);
            }
        }
    }

    @Test
    void replacesWhatWatchedAnotherCgroup() {
        try (BpfFileSystem files = new BpfFileSystem();
                Cgroup other = new Cgroup(Area.directory())) {
            start(files, false).kill();

            try (Pinned second = new Pinned(directory.resolve("other"), other.directory(), files.pins(), false)) {
                assertThat(second.pins().values()).containsOnly("REPLACED");
            }
        }
    }

    @Test
    void leavesNothingUnlessAskedTo() throws Exception {
        try (BpfFileSystem files = new BpfFileSystem()) {
            Pinned first = start(files, true);
            first.close();
            assertThat(first.programs()).allMatch(Pinned::isLoaded);

            Pinned second = start(files, false);
            assertThat(second.pins().values()).containsOnly("TAKEN");
            second.close();
            assertGone(first.programs());
            assertGone(second.programs());
            assertThat(files.pins()).doesNotExist();
        }
    }

    @Test
    void goesWithoutPinsWhenAnotherAgentHasThem() {
        try (BpfFileSystem files = new BpfFileSystem();
                Pinned first = start(files, false);
                Pinned second = start(files, false)) {
            assertThat(second.reason()).isEqualTo("another agent holds " + files.pins());
            assertThat(second.states().values()).containsOnly("ATTACHED");
            assertThat(second.pins().values()).containsOnly("NOT");
            assertThat(first.programs()).allMatch(Pinned::isLoaded);
            assertThatThrownBy(() -> Pins.clean(files.pins()))
                    .isInstanceOf(ProbesUnavailableException.class)
                    .hasMessageContaining("another agent holds");
        }
    }

    @Test
    void goesWithoutPinsWhereItCannotWrite() throws Exception {
        try (BpfFileSystem files = new BpfFileSystem()) {
            files.makeReadOnly();
            try (Pinned agent = start(files, false)) {
                assertThat(agent.reason()).isEqualTo("cannot make " + files.pins() + ": Read-only file system");
                assertThat(agent.states().values()).containsOnly("ATTACHED");
            }
        }
        Path plain = Files.createDirectory(directory.resolve("plain"));
        try (Pinned agent = new Pinned(directory.resolve("p"), Area.directory(), plain.resolve("aether"), false)) {
            assertThat(agent.reason()).isEqualTo(plain + " is no bpf file system");
            assertThat(agent.states().values()).containsOnly("ATTACHED");
        }
    }

    @Test
    void cleansUpAfterAKilledAgent() throws Exception {
        try (BpfFileSystem files = new BpfFileSystem()) {
            Pinned agent = start(files, true);
            agent.kill();

            assertThat(Pins.clean(files.pins())).isGreaterThan(agent.programs().size());
            assertThat(files.pins()).doesNotExist();
            assertGone(agent.programs());
            assertThat(Pins.clean(files.pins())).isZero();
        }
    }

    /** The kernel's word (stalls) may outlive the agent; the agent's own (pressure) may not. */
    @Test
    void doesNotSpeakForADeadAgent(Watch watch, Cable cable) throws Exception {
        try (BpfFileSystem files = new BpfFileSystem();
                Cgroup servers = new Cgroup(Area.directory().getParent()); // as if on another node
                Cgroup limited = Quota.group(10_000);
                Traffic server = new Traffic(cable.server());
                Traffic client = new Traffic(cable.client())) {
            servers.add(server.pid());
            limited.add(server.pid());
            Cgroup watched = Quota.version1() ? servers : limited;
            Pinned agent = new Pinned(directory.resolve("theirs"), watched.directory(), files.pins(), false);
            try {
                int port = Integer.parseInt(server.tell("listen * 0"));
                String id = client.tell("connect " + Cable.SERVER + " " + port);
                awaitPressure(watch, cable, client, id, port, true);
                agent.kill();
                awaitPressure(watch, cable, client, id, port, false);
                assertThat(watch.peer(cable.client(), Cable.SERVER, port).source)
                        .isEqualTo(TableLayout.FROM_OPTION);
            } finally {
                agent.kill();
            }
        }
    }

    private static void awaitPressure(Watch watch, Cable cable, Traffic client, String id, int port, boolean wanted) {
        Shell.await(
                15_000,
                () -> {
                    client.tell("exchange " + id + " 10000");
                    return watch.peer(cable.client(), Cable.SERVER, port).pressure > 0 == wanted;
                },
                () -> "pressure " + watch.peer(cable.client(), Cable.SERVER, port).pressure);
    }

    /** The kernel frees a program some moments after its last user. */
    private static void assertGone(List<String> programs) {
        for (String program : programs) {
            Shell.await(5_000, () -> !Pinned.isLoaded(program), () -> "program " + program + " still loaded");
        }
    }

    /** Sends pings, one after the other, until told to stop. */
    private static final class Pings extends Thread {
        private final Traffic client;
        private final String connection;
        private volatile boolean stopped;
        private final AtomicLong done = new AtomicLong();

        Pings(Traffic client, String connection) {
            this.client = client;
            this.connection = connection;
        }

        @Override
        public void run() {
            while (!stopped) {
                client.tell("ping " + connection + " 10");
                done.addAndGet(10);
            }
        }

        long done() {
            return done.get();
        }

        long finish() throws InterruptedException {
            stopped = true;
            join();
            return done.get();
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.aether.agent.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** An interface stays guarded while agents are killed, started again and switched off. */
@RequiresKernel
@Timeout(180)
class GuardRestartIT {
    /** So many attempts run side by side, as each takes the second after which it is given up. */
    private static final int ATTEMPTS = 8;

    private static final String TOKEN = "a-token-of-some-length";
    private static final String LIST = "/api/v1/blocklist";

    @TempDir
    Path directory;

    /** Attempts of the blocked source to connect, all the time. */
    private static final class Intruder implements AutoCloseable {
        private final AtomicBoolean ends = new AtomicBoolean();
        private final AtomicInteger tries = new AtomicInteger();
        private final AtomicInteger successes = new AtomicInteger();
        private final List<Thread> threads = new ArrayList<>();

        Intruder(Wire wire) {
            for (int i = 0; i < ATTEMPTS; i++) {
                Thread thread = new Thread(() -> attempt(wire), "intruder");
                threads.add(thread);
                thread.start();
                Shell.pause(1_000 / ATTEMPTS);
            }
        }

        private void attempt(Wire wire) {
            while (!ends.get()) {
                successes.addAndGet(wire.reaches() ? 1 : 0);
                tries.incrementAndGet();
            }
        }

        void end() {
            ends.set(true);
            for (Thread thread : threads) {
                try {
                    thread.join();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            }
        }

        @Override
        public void close() {
            end();
        }
    }

    private RunningAgent agent(BpfFileSystem files, Wire wire, String interfaces) throws Exception {
        return new RunningAgent(
                Files.createTempDirectory(directory, "agent"),
                files.pins(),
                "--aether.agent.token=" + TOKEN,
                "--aether.agent.guard.interfaces=" + interfaces,
                "--aether.agent.guard.mode=enforce",
                "--aether.agent.guard.management-prefixes=" + wire.there(5),
                "--aether.agent.guard.block=" + wire.there(4));
    }

    @Test
    void staysGuardedThroughAKillAndARestart() throws Exception {
        try (BpfFileSystem files = new BpfFileSystem();
                Wire wire = new Wire()) {
            wire.from(4);
            try (RunningAgent first = agent(files, wire, wire.device())) {
                first.await("\"guard\":{\"state\":\"attached\"");
                assertThat(wire.reaches()).as("blocked").isFalse();
                try (Intruder intruder = new Intruder(wire)) {
                    first.kill();
                    assertThat(wire.description())
                            .as("the killed agent's program")
                            .contains("xdp");
                    try (RunningAgent second = agent(files, wire, wire.device())) {
                        second.await("\"guard\":{\"state\":\"attached\"");
                        Shell.pause(1_500);
                        assertThat(second.output()).contains("Guard on " + wire.device() + ": native mode");
                        intruder.end();
                        assertThat(intruder.tries.get()).isGreaterThan(ATTEMPTS);
                        assertThat(intruder.successes.get())
                                .as("packets through a gap")
                                .isZero();
                        wire.from(2);
                        assertThat(wire.reaches()).as("others").isTrue();
                        second.stop();
                    }
                }
            }
            assertThat(wire.description()).as("after a normal end").doesNotContain("xdp");
            assertThat(files.pins()).doesNotExist();
        }
    }

    @Test
    void keepsThroughAKillWhatWasBlockedAtRunTime() throws Exception {
        try (BpfFileSystem files = new BpfFileSystem();
                Wire wire = new Wire()) {
            try (RunningAgent first = agent(files, wire, wire.device())) {
                first.await("\"guard\":{\"state\":\"attached\"");
                first.post(LIST, TOKEN, "{\"block\":[\"" + wire.there(2) + "\"]}");
                first.post(LIST, TOKEN, "{\"block\":[\"2001:db8:7::/48\"],\"ttl\":\"10m\"}");
                first.post(LIST, TOKEN, "{\"allow\":[\"198.51.100.0/24\"],\"ttl\":\"1s\"}");
                wire.from(2);
                assertThat(wire.reaches()).as("blocked at run time").isFalse();
                try (Intruder intruder = new Intruder(wire)) {
                    first.kill();
                    try (RunningAgent second = agent(files, wire, wire.device())) {
                        second.await("\"guard\":{\"state\":\"attached\"");
                        Shell.pause(1_500);
                        intruder.end();
                        assertThat(intruder.successes.get())
                                .as("packets through a gap")
                                .isZero();
                        assertThat(second.get(LIST))
                                .contains("{\"cidr\":\"" + wire.there(2) + "\",\"secondsLeft\":null}")
                                .containsPattern("2001:db8:7:[:0]*/48\",\"secondsLeft\":5\\d\\d")
                                .containsOnlyOnce(wire.there(4))
                                .as("what has ended meanwhile")
                                .doesNotContain("198.51.100");
                        second.stop();
                    }
                }
            }
            assertThat(files.pins()).doesNotExist();
        }
    }

    @Test
    void leavesNothingGuardedThatIsNoLongerNamed() throws Exception {
        try (BpfFileSystem files = new BpfFileSystem();
                Wire wire = new Wire()) {
            try (RunningAgent first = agent(files, wire, wire.device())) {
                first.await("\"guard\":{\"state\":\"attached\"");
            }
            assertThat(wire.description()).contains("xdp");
            try (RunningAgent second = agent(files, wire, "")) {
                second.await("\"guard\":{\"state\":\"disabled\"");
                Shell.await(5_000, () -> !wire.description().contains("xdp"), wire::description);
            }
        }
    }
}

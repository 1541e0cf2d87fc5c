// SPDX-License-Identifier: Apache-2.0
package io.aether.agent.bpf;

import static io.aether.agent.bpf.TestTable.LOCAL;
import static io.aether.agent.bpf.TestTable.PEER;
import static io.aether.agent.bpf.TestTable.STALLED;
import static io.aether.agent.kernel.KernelTests.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.aether.agent.kernel.KernelTests;
import io.aether.agent.kernel.TestCgroup;
import io.aether.agent.kernel.TestNamespace;
import io.aether.agent.kernel.TestOptionPeer;
import io.aether.agent.kernel.TestProcess;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HealthOptionIT {
    private static final Duration SOON = Duration.ofSeconds(5);
    private static final Duration HALF_A_SECOND = Duration.ofMillis(500);
    private static final int STALL_AGE = 112;
    private static final int PRESSURE = 130;
    private static final int SOURCE = 131;
    private static final int IN_FLIGHT = 132;
    private static final int FROM_NODE = 1;
    private static final int FROM_OPTION = 2;

    /** Kind, length, identifier, then version and flags, stall age, pressure, requests in flight. */
    private static final String WELL = "fe08ae7e" + "10000000";

    private static final String STALLED_FOR_40_MS = "fe08ae7e" + "110a8005";

    @TempDir
    Path directory;

    private TestCgroup cgroup;

    @BeforeEach
    void createCgroup() throws IOException {
        KernelTests.assumeKernel();
        cgroup = TestCgroup.create();
    }

    @AfterEach
    void removeCgroup() {
        if (cgroup != null) {
            cgroup.close();
        }
    }

    /** As if every peer lived on another node. */
    private ProbeSettings apart() {
        return ProbeSettings.defaults(directory.resolve("health"), cgroup.directory())
                .withProbes(true, true, false)
                .withNodeReports(false);
    }

    private static KernelProbes start(ProbeSettings settings) {
        KernelProbes probes = KernelProbes.open(settings);
        assertThat(probes.attach())
                .filteredOn(status -> status.name().equals("health"))
                .singleElement()
                .satisfies(
                        status -> assertThat(status.state()).as(status.reason()).isEqualTo(ProbeStatus.State.ATTACHED));
        probes.startPump();
        return probes;
    }

    private TestTable table() throws IOException {
        return new TestTable(directory.resolve("health"));
    }

    @Test
    void stoppedServerElsewhereIsSeen() throws Exception {
        try (TestNamespace namespace = TestNamespace.create();
                KernelProbes probes = start(apart());
                TestProcess.Server server = TestProcess.server(cgroup, "0.0.0.0", namespace.prefix());
                TestProcess client = TestProcess.client(cgroup, namespace.address(), server.port())) {
            TestTable table = table();
            int port = server.port();
            for (int i = 0; i < 5; i++) {
                client.exchange(100);
            }
            assertThat(await(SOON, () -> table.find(PEER, port) >= 0)).isTrue();
            assertThat(table.has(PEER, port, STALLED)).isFalse();
            server.process().freeze();
            client.send(100);
            assertThat(await(HALF_A_SECOND, () -> table.has(PEER, port, STALLED)))
                    .isTrue();
            assertThat(table.byteAt(PEER, port, SOURCE)).isEqualTo(FROM_OPTION);
            assertThat(table.number(PEER, port, STALL_AGE)).isBetween(8_000L, 40_000L);
            server.process().thaw();
            client.exchange(100);
            assertThat(await(HALF_A_SECOND, () -> !table.has(PEER, port, STALLED)))
                    .isTrue();
            assertThat(probes.counters().malformedOptions()).isZero();
            assertThat(probes.counters().mapErrors()).isZero();
        }
    }

    @Test
    void stoppedServerIsSeenByNewConnections() throws Exception {
        try (TestNamespace namespace = TestNamespace.create();
                KernelProbes probes = start(apart());
                TestProcess.Server server = TestProcess.server(cgroup, namespace.address6(), namespace.prefix());
                TestProcess client = TestProcess.client(cgroup, namespace.address6(), server.port())) {
            TestTable table = table();
            int port = server.port();
            client.exchange(100);
            server.process().freeze();
            client.send(100);
            // A stall that nobody confirms for a second is unknown.
            assertThat(await(SOON, () -> table.has(PEER, port, STALLED))).isTrue();
            assertThat(await(SOON, () -> !table.has(PEER, port, STALLED))).isTrue();
            try (TestProcess late = TestProcess.client(cgroup, namespace.address6(), port)) {
                assertThat(await(HALF_A_SECOND, () -> table.has(PEER, port, STALLED)))
                        .isTrue();
                assertThat(table.number(PEER, port, STALL_AGE)).isGreaterThan(1_000_000L);
                assertThat(late.pid()).isPositive();
            }
            assertThat(probes.counters().malformedOptions()).isZero();
        }
    }

    @Test
    void longAnswerEndsStall() throws Exception {
        try (TestNamespace namespace = TestNamespace.create();
                KernelProbes probes = start(apart());
                TestProcess.Server server = TestProcess.server(cgroup, "0.0.0.0", namespace.prefix());
                TestProcess client = TestProcess.client(cgroup, namespace.address(), server.port())) {
            TestTable table = table();
            int port = server.port();
            client.exchange(100);
            server.process().freeze();
            client.send(60_000);
            assertThat(await(HALF_A_SECOND, () -> table.has(PEER, port, STALLED)))
                    .isTrue();
            server.process().thaw();
            assertThat(await(HALF_A_SECOND, () -> !table.has(PEER, port, STALLED)))
                    .isTrue();
            client.exchange(1_000_000);
            assertThat(probes.counters().malformedOptions()).isZero();
        }
    }

    @Test
    void listenerOlderThanTheAgentSpeaks() throws Exception {
        try (TestNamespace namespace = TestNamespace.create();
                TestProcess.Server server = TestProcess.server(cgroup, "0.0.0.0", namespace.prefix());
                KernelProbes probes = start(apart());
                TestProcess client = TestProcess.client(cgroup, namespace.address(), server.port())) {
            TestTable table = table();
            int port = server.port();
            client.exchange(100);
            server.process().freeze();
            client.send(100);
            assertThat(await(HALF_A_SECOND, () -> table.has(PEER, port, STALLED)))
                    .isTrue();
            assertThat(probes.counters().mapErrors()).isZero();
        }
    }

    @Test
    void speakersGoOnAfterRestartOfTheAgent() throws Exception {
        KernelProbes first = start(apart());
        try (first;
                TestNamespace namespace = TestNamespace.create();
                TestProcess.Server server = TestProcess.server(cgroup, "0.0.0.0", namespace.prefix());
                TestProcess client = TestProcess.client(cgroup, namespace.address(), server.port())) {
            int port = server.port();
            client.exchange(100);
            client.exchange(100);
            first.close();
            client.exchange(100);
            try (KernelProbes second = start(apart())) {
                TestTable table = table();
                client.exchange(100);
                server.process().freeze();
                client.send(100);
                assertThat(await(HALF_A_SECOND, () -> table.has(PEER, port, STALLED)))
                        .isTrue();
                assertThat(table.byteAt(PEER, port, SOURCE)).isEqualTo(FROM_OPTION);
                server.process().thaw();
                client.exchange(100);
                assertThat(await(HALF_A_SECOND, () -> !table.has(PEER, port, STALLED)))
                        .isTrue();
                assertThat(second.counters().mapErrors()).isZero();
            }
        }
    }

    @Test
    void nodesOwnViewWins() throws Exception {
        try (TestNamespace namespace = TestNamespace.create();
                KernelProbes probes = start(apart().withNodeReports(true));
                TestProcess.Server server = TestProcess.server(cgroup, "0.0.0.0", namespace.prefix());
                TestProcess client = TestProcess.client(cgroup, namespace.address(), server.port())) {
            TestTable table = table();
            int port = server.port();
            client.exchange(100);
            assertThat(await(SOON, () -> table.byteAt(PEER, port, SOURCE) == FROM_NODE))
                    .isTrue();
            server.process().freeze();
            client.send(100);
            assertThat(await(HALF_A_SECOND, () -> table.has(PEER, port, STALLED)))
                    .isTrue();
            Thread.sleep(50);
            assertThat(table.byteAt(PEER, port, SOURCE)).isEqualTo(FROM_NODE);
            assertThat(probes.counters().mapErrors()).isZero();
        }
    }

    @Test
    void withoutQueueNothingIsSaidOfStalls() throws Exception {
        try (TestNamespace namespace = TestNamespace.create();
                KernelProbes probes = start(apart().withProbes(true, false, false));
                TestProcess.Server server = TestProcess.server(cgroup, "0.0.0.0", namespace.prefix());
                TestProcess client = TestProcess.client(cgroup, namespace.address(), server.port())) {
            TestTable table = table();
            int port = server.port();
            client.exchange(100);
            assertThat(await(SOON, () -> table.byteAt(PEER, port, SOURCE) == FROM_OPTION))
                    .isTrue();
            server.process().freeze();
            client.send(100);
            Thread.sleep(100);
            assertThat(table.has(PEER, port, STALLED)).isFalse();
            assertThat(table.find(LOCAL, port)).isNegative();
            assertThat(probes.counters().mapErrors()).isZero();
        }
    }

    @Test
    void silentPeerIsLeftInPeace() throws Exception {
        try (TestOptionPeer peer = TestOptionPeer.start();
                KernelProbes probes = start(apart());
                TestProcess client = TestProcess.client(cgroup, peer.address(), 4000)) {
            long before = events(probes);
            for (int i = 0; i < 20; i++) {
                client.exchange(100);
            }
            assertThat(peer.count()).containsExactly(1, 0);
            assertThat(events(probes)).isEqualTo(before);
        }
    }

    private static long events(KernelProbes probes) {
        return probes.counters().programs().stream()
                .filter(program -> program.name().equals("aether_health"))
                .findFirst()
                .orElseThrow()
                .events();
    }

    @Test
    void speakingPeerIsAskedUntilItAnswers() throws Exception {
        try (TestOptionPeer peer = TestOptionPeer.start();
                KernelProbes probes = start(apart())) {
            peer.say(WELL);
            try (TestProcess client = TestProcess.client(cgroup, peer.address(), 4001)) {
                client.exchange(100);
                long[] asked = peer.count();
                client.exchange(100);
                client.exchange(100);
                assertThat(asked).containsExactly(1, 2); // the ACK and the first data
                assertThat(peer.count()).containsExactly(asked);
                peer.say(STALLED_FOR_40_MS);
                client.exchange(100);
                TestTable table = table();
                assertThat(await(HALF_A_SECOND, () -> table.has(PEER, 4001, STALLED)))
                        .isTrue();
                assertThat(table.number(PEER, 4001, STALL_AGE)).isEqualTo(40_000);
                assertThat(table.byteAt(PEER, 4001, PRESSURE)).isEqualTo(0x80);
                assertThat(table.number(PEER, 4001, IN_FLIGHT)).isEqualTo(6);
            }
            assertThat(probes.counters().malformedOptions()).isZero();
        }
    }

    @Test
    void forgedOptionFromElsewhereIsIgnored() throws Exception {
        ProbeSettings settings =
                apart().withHealth(HealthSettings.defaults().withPrefixes(List.of("10.83.0.0/16", "fd83::/16")));
        try (TestOptionPeer peer = TestOptionPeer.start();
                KernelProbes probes = start(settings)) {
            peer.say(STALLED_FOR_40_MS);
            try (TestProcess client = TestProcess.client(cgroup, peer.address(), 4002)) {
                TestTable table = table();
                client.exchange(100);
                assertThat(await(SOON, () -> table.find(PEER, 4002) >= 0)).isTrue();
                client.exchange(100);
                Thread.sleep(50);
                assertThat(table.has(PEER, 4002, STALLED)).isFalse();
                assertThat(table.byteAt(PEER, 4002, SOURCE)).isZero();
                assertThat(peer.count()).containsExactly(0, 0);
            }
            assertThat(probes.counters().malformedOptions()).isZero();
        }
    }

    @Test
    void malformedOptionsAreCountedAndIgnored() throws Exception {
        try (TestOptionPeer peer = TestOptionPeer.start();
                KernelProbes probes = start(apart())) {
            peer.say(WELL);
            try (TestProcess client = TestProcess.client(cgroup, peer.address(), 4003)) {
                client.exchange(100);
                List<String> malformed = List.of(
                        "fe0cae7e110a800500000000", // too long
                        "fe06ae7e110a0101", // too short
                        "fe08ae7e210a8005", // another version
                        "fe08ae7e11008005", // stalled for no time
                        "fe08ae7e100a8005", // a time without a stall
                        "fe08ae7e110a80ff", // more requests than can be
                        "fd040000fe08ae7e"); // cut off after another one
                TestTable table = table();
                for (String option : malformed) {
                    long before = probes.counters().malformedOptions();
                    peer.say(option);
                    client.exchange(100);
                    assertThat(probes.counters().malformedOptions()).as(option).isGreaterThan(before);
                }
                peer.say("fe08f989110a8005"); // somebody else's experiment
                long before = probes.counters().malformedOptions();
                client.exchange(100);
                assertThat(probes.counters().malformedOptions()).isEqualTo(before);
                assertThat(table.has(PEER, 4003, STALLED)).isFalse();
                assertThat(table.byteAt(PEER, 4003, SOURCE)).isEqualTo(FROM_OPTION);
            }
        }
    }

    @Test
    void detachLeavesNothing() throws Exception {
        try (TestOptionPeer peer = TestOptionPeer.start()) {
            peer.say(WELL);
            start(apart()).close();
            try (TestProcess client = TestProcess.client(cgroup, peer.address(), 4004)) {
                client.exchange(100);
            }
            assertThat(peer.count()).containsExactly(0, 0);
            assertThat(KernelTests.run("bpftool", "prog", "show")).doesNotContain("aether_health");
        }
    }
}

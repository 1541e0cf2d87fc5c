// SPDX-License-Identifier: Apache-2.0
package io.aether.agent.bpf;

import static io.aether.agent.bpf.TestTable.LOCAL;
import static io.aether.agent.bpf.TestTable.PEER;
import static io.aether.agent.bpf.TestTable.STALLED;
import static io.aether.agent.kernel.KernelTests.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.aether.agent.kernel.TestNamespace;
import io.aether.agent.kernel.TestProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import org.junit.jupiter.api.Test;

/** Servers and clients with real kernels on both sides. */
class HealthOptionIT extends HealthOptionFixture {
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
    void throttledServerTellsPressure() throws Exception {
        cgroup.limitCpu(0.1);
        try (TestNamespace namespace = TestNamespace.create();
                KernelProbes probes = start(apart());
                TestProcess.Server server = TestProcess.server(cgroup, "0.0.0.0", namespace.prefix());
                TestProcess client = TestProcess.client(cgroup, namespace.address(), server.port())) {
            TestTable table = table();
            int port = server.port();
            assertThat(await(SOON, () -> {
                        exchange(client);
                        return table.byteAt(PEER, port, PRESSURE) > 0;
                    }))
                    .isTrue();
            assertThat(table.byteAt(PEER, port, SOURCE)).isEqualTo(FROM_OPTION);
            assertThat(probes.counters().malformedOptions()).isZero();
        }
    }

    private static void exchange(TestProcess client) {
        try {
            client.exchange(10_000);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
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
}

// SPDX-License-Identifier: Apache-2.0
package io.aether.agent.bpf;

import static io.aether.agent.bpf.TestTable.CONGESTED;
import static io.aether.agent.bpf.TestTable.GONE;
import static io.aether.agent.bpf.TestTable.LOCAL;
import static io.aether.agent.bpf.TestTable.PEER;
import static io.aether.agent.bpf.TestTable.STALLED;
import static io.aether.agent.kernel.KernelTests.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.aether.agent.kernel.KernelTests;
import io.aether.agent.kernel.TestCgroup;
import io.aether.agent.kernel.TestNamespace;
import io.aether.agent.kernel.TestProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KernelProbesIT {
    private static final Duration SOON = Duration.ofSeconds(5);
    private static final int SRTT = 40;
    private static final int CONNECTIONS_OF_PEER = 56;
    private static final int CONNECTIONS_OF_LOCAL = 60;
    private static final int RTT_SAMPLES = 84;
    private static final int REPORT_TIME = 96;
    private static final int STALL_AGE = 112;
    private static final int THROTTLED_PERMILLE = 128;

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

    private Path file() {
        return directory.resolve("health");
    }

    private KernelProbes open() {
        return KernelProbes.open(ProbeSettings.defaults(file(), cgroup.directory()));
    }

    private KernelProbes start() {
        KernelProbes probes = open();
        assertThat(probes.attach())
                .allSatisfy(status -> assertThat(status.state())
                        .as("%s: %s", status.name(), status.reason())
                        .isEqualTo(ProbeStatus.State.ATTACHED));
        probes.startPump();
        return probes;
    }

    @Test
    void leavesNothingBehind() throws Exception {
        List<Integer> ids;
        TestTable table;
        try (KernelProbes probes = start()) {
            ids = probes.status().stream()
                    .flatMap(status -> status.programs().values().stream())
                    .toList();
            table = new TestTable(file());
            assertThat(ids).hasSize(12);
            assertThat(await(SOON, () -> probes.counters().ticks() > 10)).isTrue();
            assertThat(System.nanoTime() - table.heartbeat()).isLessThan(1_000_000_000L);
        }
        assertThat(table.heartbeat()).isZero();
        assertThat(await(SOON, () -> ids.stream().noneMatch(KernelProbesIT::isLoaded)))
                .isTrue();
    }

    private static boolean isLoaded(int id) {
        try {
            KernelTests.run("bpftool", "prog", "show", "id", Integer.toString(id));
            return true;
        } catch (IOException e) {
            return false;
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void showsPathAndConnections() throws Exception {
        try (KernelProbes probes = start();
                TestProcess.Server server = TestProcess.server(cgroup, "127.0.0.1")) {
            TestTable table = new TestTable(file());
            int port = server.port();
            try (TestProcess client = TestProcess.client(cgroup, "127.0.0.1", port)) {
                client.exchange(100);
                assertThat(await(SOON, () -> table.number(PEER, port, SRTT) > 0))
                        .isTrue();
                assertThat(table.number(PEER, port, CONNECTIONS_OF_PEER)).isEqualTo(1);
                assertThat(table.number(LOCAL, port, CONNECTIONS_OF_LOCAL)).isEqualTo(1);
            }
            assertThat(await(
                            SOON,
                            () -> table.number(PEER, port, CONNECTIONS_OF_PEER) == 0
                                    && table.number(LOCAL, port, CONNECTIONS_OF_LOCAL) == 0))
                    .isTrue();
            server.process().close();
            assertThat(await(SOON, () -> table.has(LOCAL, port, GONE) && table.has(PEER, port, GONE)))
                    .isTrue();
            assertThat(probes.counters().mapErrors()).isZero();
        }
    }

    @Test
    void showsStallOfFrozenProcess() throws Exception {
        try (KernelProbes probes = start();
                TestProcess.Server server = TestProcess.server(cgroup, "127.0.0.1");
                TestProcess client = TestProcess.client(cgroup, "127.0.0.1", server.port())) {
            TestTable table = new TestTable(file());
            int port = server.port();
            client.exchange(100);
            assertThat(await(SOON, () -> table.find(PEER, port) >= 0)).isTrue();
            assertThat(table.has(LOCAL, port, STALLED)).isFalse();
            server.process().freeze();
            client.send(100);
            assertThat(await(SOON, () -> table.has(LOCAL, port, STALLED) && table.has(PEER, port, STALLED)))
                    .isTrue();
            assertThat(await(SOON, () -> table.number(PEER, port, STALL_AGE) > 50_000))
                    .isTrue();
            server.process().thaw();
            assertThat(await(SOON, () -> !table.has(LOCAL, port, STALLED) && !table.has(PEER, port, STALLED)))
                    .isTrue();
            assertThat(probes.latenciesMicros()).isNotEmpty();
        }
    }

    @Test
    void forgetsStallOfClosedConnection() throws Exception {
        try (KernelProbes probes = start();
                TestProcess.Server server = TestProcess.server(cgroup, "127.0.0.1")) {
            TestTable table = new TestTable(file());
            int port = server.port();
            try (TestProcess client = TestProcess.client(cgroup, "127.0.0.1", port)) {
                client.exchange(100);
                server.process().freeze();
                client.send(100);
                assertThat(await(SOON, () -> table.has(LOCAL, port, STALLED))).isTrue();
            }
            server.process().close();
            assertThat(await(SOON, () -> table.has(LOCAL, port, GONE) && !table.has(LOCAL, port, STALLED)))
                    .isTrue();
            assertThat(probes.counters().ringLosses()).isZero();
        }
    }

    @Test
    void adoptsConnectionsOlderThanItself() throws Exception {
        try (TestProcess.Server server = TestProcess.server(cgroup, "127.0.0.1");
                TestProcess client = TestProcess.client(cgroup, "127.0.0.1", server.port())) {
            client.exchange(100);
            int port = server.port();
            try (KernelProbes probes = start()) {
                TestTable table = new TestTable(file());
                assertThat(await(
                                SOON,
                                () -> table.number(PEER, port, CONNECTIONS_OF_PEER) == 1
                                        && table.number(LOCAL, port, CONNECTIONS_OF_LOCAL) == 1))
                        .isTrue();
                long before = table.number(PEER, port, RTT_SAMPLES);
                client.exchange(100);
                assertThat(await(SOON, () -> table.number(PEER, port, RTT_SAMPLES) > before))
                        .isTrue();
                assertThat(probes.counters().mapErrors()).isZero();
            }
        }
    }

    @Test
    void showsCongestionOfSqueezedLink() throws Exception {
        try (TestNamespace namespace = TestNamespace.create();
                KernelProbes probes = start();
                TestProcess.Server server = TestProcess.server(cgroup, "0.0.0.0", namespace.prefix());
                TestProcess client = TestProcess.client(cgroup, namespace.address(), server.port())) {
            TestTable table = new TestTable(file());
            int port = server.port();
            client.exchange(100);
            assertThat(await(SOON, () -> table.number(PEER, port, SRTT) > 0)).isTrue();
            assertThat(table.has(PEER, port, CONGESTED)).isFalse();
            namespace.squeeze("20mbit", 300_000);
            client.exchange(1_000_000);
            assertThat(await(SOON, () -> table.has(PEER, port, CONGESTED))).isTrue();
            assertThat(table.number(PEER, port, SRTT)).isGreaterThan(2_000);
            namespace.relax();
            for (int i = 0; i < 30; i++) {
                client.exchange(100);
            }
            assertThat(await(SOON, () -> !table.has(PEER, port, CONGESTED))).isTrue();
            assertThat(table.time(PEER, port, REPORT_TIME)).isPositive();
            assertThat(probes.counters().mapErrors()).isZero();
        }
    }

    @Test
    void slowServerIsNoCongestedPath() throws Exception {
        try (KernelProbes probes = start();
                TestProcess.Server server = TestProcess.server(cgroup, "127.0.0.1");
                TestProcess client = TestProcess.client(cgroup, "127.0.0.1", server.port())) {
            TestTable table = new TestTable(file());
            int port = server.port();
            for (int i = 0; i < 5; i++) {
                server.process().freeze();
                client.send(100);
                Thread.sleep(30);
                server.process().thaw();
                client.exchange(100);
            }
            assertThat(await(SOON, () -> table.number(PEER, port, RTT_SAMPLES) > 5))
                    .isTrue();
            assertThat(table.has(PEER, port, CONGESTED)).isFalse();
            assertThat(probes.counters().mapErrors()).isZero();
        }
    }

    @Test
    void measuresThrottling() throws Exception {
        cgroup.limitCpu(0.1);
        try (KernelProbes probes = start();
                TestProcess.Server server = TestProcess.server(cgroup, "127.0.0.1")) {
            TestTable table = new TestTable(file());
            int port = server.port();
            try (TestProcess client = TestProcess.client(cgroup, "127.0.0.1", port)) {
                assertThat(await(SOON, () -> {
                            exchange(client);
                            return table.number(LOCAL, port, THROTTLED_PERMILLE) % 65536 > 100;
                        }))
                        .isTrue();
            }
            assertThat(probes.counters().batchErrors()).isZero();
        }
    }

    private static void exchange(TestProcess client) {
        try {
            client.exchange(100_000);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void measuresRunQueue() throws Exception {
        try (KernelProbes probes = start();
                TestProcess.Server server = TestProcess.server(cgroup, "127.0.0.1");
                TestProcess client = TestProcess.client(cgroup, "127.0.0.1", server.port())) {
            client.exchange(100);
            long id = cgroup.id();
            assertThat(probes.runQueue().cgroups())
                    .singleElement()
                    .satisfies(waits -> assertThat(waits.cgroup()).isEqualTo(id))
                    .satisfies(waits -> assertThat(waits.count()).isPositive());
        }
    }

    @Test
    void refusesSecondWriter() {
        try (KernelProbes probes = start()) {
            assertThat(probes.status()).hasSize(6);
            assertThatThrownBy(this::open)
                    .isInstanceOf(ProbesUnavailableException.class)
                    .hasMessageContaining("another agent");
        }
    }

    @Test
    void keepsTableAliveWithoutProbes() throws Exception {
        ProbeSettings settings = ProbeSettings.defaults(file(), Path.of("/proc"));
        try (KernelProbes probes = KernelProbes.open(settings)) {
            assertThat(probes.attach()).allSatisfy(status -> {
                assertThat(status.state()).isEqualTo(ProbeStatus.State.UNSUPPORTED);
                assertThat(status.reason()).contains("/proc is not a version 2 cgroup");
            });
            probes.startPump();
            assertThat(await(SOON, () -> probes.counters().ticks() > 10)).isTrue();
        }
    }
}

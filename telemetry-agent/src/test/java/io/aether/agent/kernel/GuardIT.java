// SPDX-License-Identifier: Apache-2.0
package io.aether.agent.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import io.aether.agent.bpf.Cidr;
import io.aether.agent.bpf.GuardInterface;
import io.aether.agent.bpf.GuardList;
import io.aether.agent.bpf.GuardSettings;
import io.aether.agent.bpf.GuardVerdict;
import io.aether.agent.bpf.KernelGuard;
import io.aether.agent.bpf.ProbeStatus;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The guard on an interface, against real connections and real floods from another namespace. */
@RequiresKernel
@Timeout(120)
class GuardIT {
    private static final int RATE = 20;
    private static final int BURST = 40;

    private Wire wire;
    private KernelGuard guard;

    @BeforeEach
    void plug() {
        wire = new Wire();
    }

    @AfterEach
    void unplug() {
        if (guard != null) {
            guard.close();
        }
        wire.close();
    }

    private void open(boolean enforce, String... management) {
        guard = another(enforce, management);
        assertThat(guard.status().interfaces())
                .extracting(GuardInterface::state)
                .as("%s", guard.status())
                .containsExactly(ProbeStatus.State.ATTACHED);
    }

    private KernelGuard another(boolean enforce, String... management) {
        KernelGuard opened = KernelGuard.open(
                new GuardSettings(List.of(wire.device()), enforce, cidrs(management), RATE, BURST, 200_000, 4096, 0));
        opened.attach();
        return opened;
    }

    private static List<Cidr> cidrs(String... networks) {
        return Arrays.stream(networks).map(Cidr::parse).toList();
    }

    private void block(String... networks) {
        guard.enter(GuardList.BLOCK, cidrs(networks), 0);
    }

    private long count(GuardVerdict verdict) {
        return guard.verdicts().get(verdict);
    }

    @Test
    void blocksBothFamiliesUntilTakenOutAndAllowWins() {
        open(true);
        assertThat(guard.status().interfaces().get(0).hook()).isEqualTo("native");
        block(wire.there(2) + "/32", wire.there6(2));
        wire.from(2);
        assertThat(wire.reaches()).isFalse();
        assertThat(wire.reaches6()).isFalse();
        wire.from(3);
        assertThat(wire.reaches()).isTrue();
        assertThat(wire.reaches6()).isTrue();

        block("0.0.0.0/0", "::/0");
        assertThat(wire.reaches()).isFalse();
        guard.enter(GuardList.ALLOW, cidrs(wire.there(3), wire.there6(3)), 0);
        assertThat(wire.reaches()).isTrue();
        assertThat(wire.reaches6()).as("also with its neighbours blocked").isTrue();

        guard.takeOut(GuardList.BLOCK, cidrs("0.0.0.0/0", "::/0", wire.there(2), wire.there6(2)));
        wire.from(2);
        assertThat(wire.reaches()).isTrue();
        assertThat(wire.reaches6()).isTrue();
        assertThat(count(GuardVerdict.BLOCKED)).isPositive();
        assertThat(count(GuardVerdict.ALLOWED)).isPositive();
    }

    @Test
    void neverLocksTheOperatorOut() {
        open(true, wire.there(2), "fd86::/16");
        wire.from(2);
        block("0.0.0.0/0", "::/0", wire.there(2));
        guard.takeOut(GuardList.ALLOW, cidrs(wire.there(2)));
        for (int i = 0; i < 3; i++) {
            assertThat(wire.reaches()).isTrue();
            assertThat(wire.reaches6()).isTrue();
        }
        assertThat(count(GuardVerdict.MANAGEMENT)).isPositive();
    }

    @Test
    void leavesEstablishedConnectionsAlone() throws IOException {
        try (ServerSocket server = new ServerSocket(0);
                Traffic client = new Traffic(wire.far())) {
            wire.from(2);
            String id = client.tell("connect " + wire.here() + " " + server.getLocalPort());
            Thread echo = new Thread(() -> echo(server), "echo");
            echo.setDaemon(true);
            echo.start();
            client.tell("ping " + id + " 3");
            open(true);
            block(wire.there(2));

            client.tell("ping " + id + " 20");
            assertThat(wire.reaches()).isFalse();
            assertThat(count(GuardVerdict.ESTABLISHED)).isGreaterThanOrEqualTo(20);
        }
    }

    private static void echo(ServerSocket server) {
        try (Socket socket = server.accept()) {
            socket.getInputStream().transferTo(socket.getOutputStream());
        } catch (IOException closed) {
            // The client is gone.
        }
    }

    @Test
    void holdsAFloodToItsRateAndLetsOthersIn() {
        open(true);
        long sent = wire.flood(wire.there(4), 1, 2_000, 2);

        assertThat(sent).isGreaterThan(1_000);
        assertThat(count(GuardVerdict.SYN)).isBetween((long) BURST, BURST + 6L * RATE);
        assertThat(count(GuardVerdict.SYN_RATE)).isGreaterThan(sent / 2);
        wire.from(2);
        assertThat(wire.reaches()).isTrue();
    }

    @Test
    void observesWithoutDropping() {
        open(false);
        block(wire.there(2));
        wire.from(2);
        assertThat(wire.reaches()).isTrue();
        assertThat(count(GuardVerdict.BLOCKED)).isPositive();
        wire.flood(wire.there(4), 1, 2_000, 1);
        assertThat(count(GuardVerdict.SYN_RATE)).isPositive();
    }

    @Test
    void countsRealFragments() {
        open(true);
        wire.from(2);
        wire.datagram(wire.here(), 4_000);
        Shell.await(2_000, () -> count(GuardVerdict.FRAGMENT) > 0, () -> "a fragment in " + guard.verdicts());
        block(wire.there(2));
        long fragments = count(GuardVerdict.FRAGMENT);
        long blocked = count(GuardVerdict.BLOCKED);
        wire.datagram(wire.here(), 4_000);
        Shell.await(2_000, () -> count(GuardVerdict.BLOCKED) >= blocked + 3, () -> "all of them blocked");
        assertThat(count(GuardVerdict.FRAGMENT)).isEqualTo(fragments);
    }

    @Test
    void holdsAHundredThousandNetworks() {
        open(true);
        List<String> networks = new ArrayList<>(Stream.iterate(0, i -> i + 1)
                .limit(100_000)
                .map(i -> "11." + (i >> 16) + "." + (i >> 8 & 255) + "." + (i & 255))
                .toList());
        networks.add(wire.there(2));
        List<Cidr> all = cidrs(networks.toArray(String[]::new));
        assertThat(guard.enter(GuardList.BLOCK, all, 0)).isEqualTo(all.size());
        wire.from(2);
        assertThat(wire.reaches()).isFalse();
        assertThat(guard.takeOut(GuardList.BLOCK, all)).isEqualTo(all.size());
        assertThat(wire.reaches()).isTrue();
    }

    @Test
    void namesWhoHoldsTheHookByLink() {
        open(true);
        try (KernelGuard second = another(true)) {
            GuardInterface one = second.status().interfaces().get(0);
            assertThat(one.state()).isEqualTo(ProbeStatus.State.CONFLICT);
            assertThat(one.reason())
                    .contains(wire.device(), "aether_guard (program " + guard.programId() + ")", "link");
            assertThat(one.fix()).contains("bpftool link show");

            guard.close();
            second.attach();
            assertThat(second.status().interfaces().get(0).state()).isEqualTo(ProbeStatus.State.ATTACHED);
        }
    }

    @Test
    void namesWhoHoldsTheHookByNetlink() {
        for (String mode : List.of("xdpgeneric", "xdpdrv")) {
            Shell.run("ip", "link", "set", "dev", wire.device(), mode, "obj", Wire.foreignObject(), "sec", "xdp");
            try (KernelGuard late = another(true)) {
                GuardInterface one = late.status().interfaces().get(0);
                assertThat(one.state()).isEqualTo(ProbeStatus.State.CONFLICT);
                assertThat(one.reason()).contains("flood", "attached by netlink");
                assertThat(one.fix()).contains("ip link set dev " + wire.device() + " " + mode + " off");
            }
            assertThat(wire.description()).as("untouched").contains(mode.equals("xdpdrv") ? "xdp " : mode);
            Shell.run("ip", "link", "set", "dev", wire.device(), mode, "off");
        }
    }

    @Test
    void namesAnInterfaceThatIsMissingAndTakesItWhenItComes() {
        wire.unplug();
        guard = another(true);
        GuardInterface missing = guard.status().interfaces().get(0);
        assertThat(missing.state()).isEqualTo(ProbeStatus.State.UNSUPPORTED);
        assertThat(missing.reason()).isEqualTo("there is no interface " + wire.device());
        for (int i = 0; i < 2; i++) {
            wire.plug();
            guard.attach();
            assertThat(guard.status().interfaces().get(0).state()).isEqualTo(ProbeStatus.State.ATTACHED);
            block(wire.there(2));
            wire.from(2);
            assertThat(wire.reaches()).isFalse();
            wire.unplug();
        }
        wire.plug();
    }

    @Test
    void leavesNoTrace() {
        open(true);
        block("0.0.0.0/0");
        assertThat(wire.reaches()).isFalse();
        assertThat(wire.description()).contains("prog/xdp id " + guard.programId());
        guard.close();
        guard.close();
        assertThat(wire.description()).doesNotContain("xdp");
        assertThat(wire.reaches()).isTrue();
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.aether.agent.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import io.aether.agent.bpf.Cidr;
import io.aether.agent.bpf.GuardSettings;
import io.aether.agent.bpf.GuardVerdict;
import io.aether.agent.bpf.KernelGuard;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** SYN cookies from the guard, taken back by the kernel: on real connections. */
@RequiresKernel
@Timeout(60)
class GuardCookiesIT {
    /** Of all sources, a second. One in so many milliseconds is no flood. */
    private static final int RATE = 50;

    private Wire wire;

    @BeforeEach
    void plug() {
        wire = new Wire();
        // What one end of a virtual cable sends back, the other end takes only with a program of its own.
        wire.far().ip("link", "set", "dev", "eth0", "xdp", "obj", Wire.passingObject(), "sec", "xdp");
        wire.from(2);
    }

    @AfterEach
    void unplug() {
        wire.close();
    }

    private KernelGuard open(boolean enforce, int cookieRate) {
        KernelGuard guard = KernelGuard.open(new GuardSettings(
                List.of(wire.device()), enforce, List.<Cidr>of(), 1_000, 1_000, 1_000, 4096, cookieRate));
        guard.attach();
        assertThat(guard.status().reason()).isEmpty();
        return guard;
    }

    private static long count(KernelGuard guard, GuardVerdict verdict) {
        return guard.verdicts().get(verdict);
    }

    /** Connections that the kernel took by a cookie alone. */
    private static long taken() {
        try {
            List<String> lines = Files.readAllLines(Path.of("/proc/net/netstat"));
            List<String> names = List.of(lines.get(0).split(" "));
            return Long.parseLong(lines.get(1).split(" ")[names.indexOf("SyncookiesRecv")]);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Two hundred sources, each within its own rate. */
    private CompletableFuture<Long> flood(int seconds) {
        return CompletableFuture.supplyAsync(() -> wire.flood(wire.there(4), 200, 4_000, seconds));
    }

    @Test
    void letsEverybodyInThroughAFloodWithoutNumber() {
        try (KernelGuard guard = open(true, RATE)) {
            long before = taken();
            CompletableFuture<Long> flood = flood(3);
            Shell.await(3_000, () -> count(guard, GuardVerdict.COOKIE) > 1_000, () -> "cookies: " + guard.verdicts());
            for (int i = 0; i < 10; i++) {
                assertThat(wire.reaches()).as("connection %d", i).isTrue();
                assertThat(wire.reaches6()).as("connection %d over IPv6", i).isTrue();
            }
            assertThat(taken() - before).as("taken by their cookies").isGreaterThanOrEqualTo(18);
            flood.join();
            // These passed before the flood was one, or because so many always may.
            assertThat(count(guard, GuardVerdict.SYN)).isBetween(1L, 6L * RATE);
        }
    }

    @Test
    void leavesWhatIsNoFloodToTheKernel() throws InterruptedException {
        try (KernelGuard guard = open(true, 10_000)) {
            long before = taken();
            for (int i = 0; i < 5; i++) {
                assertThat(wire.reaches()).isTrue();
            }
            assertThat(count(guard, GuardVerdict.SYN)).isGreaterThanOrEqualTo(5);
            assertThat(count(guard, GuardVerdict.COOKIE)).isZero();
            assertThat(taken()).isEqualTo(before);
        }
    }

    @Test
    void answersForNobodyWhoDoesNotListen() throws IOException {
        int closed;
        try (ServerSocket server = new ServerSocket()) {
            server.bind(new InetSocketAddress(0));
            closed = server.getLocalPort();
        }
        try (KernelGuard guard = open(true, RATE)) {
            flood(1).join();
            long cookies = count(guard, GuardVerdict.COOKIE);
            assertThat(wire.reaches(wire.here(), closed)).isFalse();
            assertThat(count(guard, GuardVerdict.COOKIE)).isEqualTo(cookies);
        }
    }

    @Test
    void onlyCountsWhileItObserves() {
        try (KernelGuard guard = open(false, RATE)) {
            long before = taken();
            CompletableFuture<Long> flood = flood(1);
            Shell.await(3_000, () -> count(guard, GuardVerdict.COOKIE) > 100, () -> "cookies: " + guard.verdicts());
            flood.join();
            assertThat(taken()).isEqualTo(before);
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.aether.agent.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import io.aether.agent.bpf.Cidr;
import io.aether.agent.bpf.GuardList;
import io.aether.agent.bpf.GuardSettings;
import io.aether.agent.bpf.GuardVerdict;
import io.aether.agent.bpf.KernelGuard;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The guard's verdict on single frames, as the kernel itself runs the program on them. */
@RequiresKernel
class GuardPacketsIT {
    private static final int BURST = 5;
    private static final String BAD = "203.0.113.7";
    private static final String BAD6 = "2001:db8:bad::7";

    private static KernelGuard guard;

    private static GuardSettings settings(boolean enforce) {
        return new GuardSettings(
                List.of(),
                enforce,
                List.of(Cidr.parse("192.0.2.0/24"), Cidr.parse("2001:db8:aaaa::/48")),
                1,
                BURST,
                1000,
                1024,
                0);
    }

    @BeforeAll
    static void open() {
        guard = KernelGuard.open(settings(true));
        enter(GuardList.BLOCK, "203.0.113.0/24", "192.0.2.0/25", "2001:db8:bad::/48", "2001:db8:aaaa:1::/64");
        enter(GuardList.ALLOW, "203.0.113.128/25", "2001:db8:bad:1::/64");
    }

    private static void enter(GuardList list, String... networks) {
        List<Cidr> cidrs = Arrays.stream(networks).map(Cidr::parse).toList();
        assertThat(guard.enter(list, cidrs, 0)).isEqualTo(cidrs.size());
    }

    @AfterAll
    static void close() {
        guard.close();
    }

    /** The one verdict that a frame is counted under; that it is dropped or not follows from it. */
    private static GuardVerdict verdict(byte[] frame) {
        Map<GuardVerdict, Long> before = guard.verdicts();
        KernelGuard.Trial trial = guard.tryPacket(frame, 1);
        Map<GuardVerdict, Long> after = guard.verdicts();
        List<GuardVerdict> changed = Arrays.stream(GuardVerdict.values())
                .filter(one -> !before.get(one).equals(after.get(one)))
                .toList();
        assertThat(changed).hasSize(1);
        assertThat(trial.passes()).isEqualTo(!changed.get(0).drops());
        return changed.get(0);
    }

    @Test
    void blocksTheListedNetworksAndNoOther() {
        assertThat(verdict(Frame.udp(BAD))).isEqualTo(GuardVerdict.BLOCKED);
        assertThat(verdict(Frame.syn(BAD))).isEqualTo(GuardVerdict.BLOCKED);
        assertThat(verdict(Frame.udp(BAD6))).isEqualTo(GuardVerdict.BLOCKED);
        assertThat(verdict(Frame.udp("203.0.112.255"))).isEqualTo(GuardVerdict.OTHER);
        assertThat(verdict(Frame.udp("2001:db8:bae::1"))).isEqualTo(GuardVerdict.OTHER);
    }

    @Test
    void allowedAndManagementNetworksPassThoughTheyAreBlocked() {
        assertThat(verdict(Frame.udp("203.0.113.200"))).isEqualTo(GuardVerdict.ALLOWED);
        assertThat(verdict(Frame.udp("2001:db8:bad:1::1"))).isEqualTo(GuardVerdict.ALLOWED);
        for (int i = 0; i < 10 * BURST; i++) {
            assertThat(verdict(Frame.syn("192.0.2.1"))).isEqualTo(GuardVerdict.MANAGEMENT);
            assertThat(verdict(Frame.syn("2001:db8:aaaa:1::1"))).isEqualTo(GuardVerdict.MANAGEMENT);
        }
        byte[] odd = Frame.ip("192.0.2.1", "10.86.0.1", Frame.TCP, Frame.tcp(1, 2, Frame.SYN | Frame.FIN));
        assertThat(verdict(odd)).isEqualTo(GuardVerdict.MANAGEMENT);
    }

    @Test
    void endsAnEntryAtItsTime() {
        List<Cidr> short_ = List.of(Cidr.parse("198.51.100.0/24"));
        guard.enter(GuardList.BLOCK, short_, System.nanoTime() + 200_000_000);
        assertThat(verdict(Frame.udp("198.51.100.9"))).isEqualTo(GuardVerdict.BLOCKED);
        Shell.await(
                1_000, () -> verdict(Frame.udp("198.51.100.9")) == GuardVerdict.OTHER, () -> "the end of the entry");
        assertThat(guard.takeOut(GuardList.BLOCK, short_)).isEqualTo(1);
        assertThat(guard.takeOut(GuardList.BLOCK, short_)).isZero();
    }

    @Test
    void holdsASourceToItsRate() {
        for (String source : List.of("198.51.100.1", "2001:db8:c::1")) {
            for (int i = 0; i < BURST; i++) {
                assertThat(verdict(Frame.syn(source))).isEqualTo(GuardVerdict.SYN);
            }
            assertThat(verdict(Frame.syn(source))).isEqualTo(GuardVerdict.SYN_RATE);
        }
        assertThat(verdict(Frame.syn("2001:db8:c::2"))).as("of the same /64").isEqualTo(GuardVerdict.SYN_RATE);
        assertThat(verdict(Frame.syn("198.51.100.2"))).isEqualTo(GuardVerdict.SYN);
        assertThat(verdict(Frame.syn("2001:db8:c:1::1"))).isEqualTo(GuardVerdict.SYN);
        Shell.await(3_000, () -> verdict(Frame.syn("198.51.100.1")) == GuardVerdict.SYN, () -> "a second's allowance");
    }

    @ParameterizedTest
    @ValueSource(strings = {"127.0.0.1", "::1"})
    void knowsConnectionsByTheirSockets(String address) throws IOException {
        InetAddress loopback = InetAddress.getByName(address);
        try (ServerSocket server = new ServerSocket(0, 1, loopback)) {
            int port = server.getLocalPort();
            byte[] segment;
            byte[] forged;
            try (Socket client = new Socket(loopback, port);
                    Socket accepted = server.accept()) {
                assertThat(accepted.isConnected()).isTrue();
                segment = Frame.ip(address, address, Frame.TCP, Frame.tcp(client.getLocalPort(), port, Frame.ACK));
                forged = Frame.ip(address, address, Frame.TCP, Frame.tcp(1, port, Frame.ACK));
                enter(GuardList.BLOCK, address);

                assertThat(verdict(segment)).as("first").isEqualTo(GuardVerdict.ESTABLISHED);
                assertThat(verdict(segment)).as("remembered").isEqualTo(GuardVerdict.ESTABLISHED);
                assertThat(verdict(forged)).isEqualTo(GuardVerdict.BLOCKED);
                guard.takeOut(GuardList.BLOCK, List.of(Cidr.parse(address)));
                assertThat(verdict(forged)).isEqualTo(GuardVerdict.STRAY);
                client.setSoLinger(true, 0); // ends with a reset, without TIME_WAIT
            }
            Shell.await(3_000, () -> verdict(segment) == GuardVerdict.STRAY, () -> "the end of the connection");
        }
    }

    @Test
    void looksThroughTwoTags() {
        assertThat(verdict(Frame.tagged(Frame.udp(BAD), 7))).isEqualTo(GuardVerdict.BLOCKED);
        assertThat(verdict(Frame.tagged(Frame.udp(BAD6), 7, 8))).isEqualTo(GuardVerdict.BLOCKED);
        assertThat(verdict(Frame.tagged(Frame.udp(BAD), 7, 8, 9))).isEqualTo(GuardVerdict.OTHER);
        byte[] cut = Frame.cut(Frame.tagged(Frame.udp(BAD), 7, 8), 16);
        assertThat(verdict(cut)).isEqualTo(GuardVerdict.TRUNCATED);
    }

    @Test
    void judgesFragmentsByTheirSourceAndRefusesThoseThatHideFlags() {
        byte[] big = Frame.ip("198.51.100.20", "10.86.0.1", Frame.TCP, new byte[64]);
        assertThat(verdict(Frame.fragment(big, 100, true))).isEqualTo(GuardVerdict.FRAGMENT);
        assertThat(verdict(Frame.fragment(Frame.udp(BAD), 100, false))).isEqualTo(GuardVerdict.BLOCKED);
        assertThat(verdict(Frame.fragment(big, 1, true))).isEqualTo(GuardVerdict.MALFORMED);
        byte[] tiny = Frame.ip("198.51.100.20", "10.86.0.1", Frame.TCP, new byte[8]);
        assertThat(verdict(Frame.fragment(tiny, 0, true))).isEqualTo(GuardVerdict.MALFORMED);
        assertThat(verdict(tiny)).isEqualTo(GuardVerdict.TRUNCATED);

        byte[] later = Frame.fragment6(Frame.UDP, 100, false, new byte[16]);
        assertThat(verdict(Frame.ip("2001:db8:f::1", "fd86::1", Frame.FRAGMENT, later)))
                .isEqualTo(GuardVerdict.FRAGMENT);
        byte[] hiding = Frame.fragment6(Frame.TCP, 0, true, new byte[8]);
        assertThat(verdict(Frame.ip("2001:db8:f::1", "fd86::1", Frame.FRAGMENT, hiding)))
                .isEqualTo(GuardVerdict.MALFORMED);
    }

    @Test
    void findsTheTransportBehindFiveExtensionHeaders() {
        byte[] chain = Frame.tcp(1, 2, Frame.SYN);
        int next = Frame.TCP;
        for (int i = 0; i < 5; i++) {
            chain = Frame.extension(next, chain);
            next = i < 4 ? Frame.DESTINATION : Frame.HOP_BY_HOP;
        }
        assertThat(verdict(Frame.ip("2001:db8:e::1", "fd86::1", next, chain))).isEqualTo(GuardVerdict.SYN);
        byte[] six = Frame.extension(next, chain);
        assertThat(verdict(Frame.ip("2001:db8:e::1", "fd86::1", Frame.DESTINATION, six)))
                .isEqualTo(GuardVerdict.EXTENSIONS);
        assertThat(verdict(Frame.ip(BAD6, "fd86::1", Frame.DESTINATION, six))).isEqualTo(GuardVerdict.BLOCKED);
        byte[] endless = Frame.with(Frame.extension(Frame.TCP, new byte[8]), 1, 255);
        assertThat(verdict(Frame.ip("2001:db8:e::1", "fd86::1", Frame.DESTINATION, endless)))
                .isEqualTo(GuardVerdict.TRUNCATED);
    }

    @Test
    void letsNeighbourDiscoveryPassWhateverIsBlocked() {
        enter(GuardList.BLOCK, "fe80::/10");
        byte[] solicitation = Frame.ip("fe80::1", "fd86::1", Frame.ICMP6, Frame.with(new byte[24], 0, 135));
        assertThat(verdict(solicitation)).isEqualTo(GuardVerdict.NEIGHBOUR);
        assertThat(verdict(Frame.with(solicitation, 21, 64))).as("from afar").isEqualTo(GuardVerdict.BLOCKED);
        assertThat(verdict(Frame.udp("fe80::1"))).isEqualTo(GuardVerdict.BLOCKED);
    }

    @Test
    void refusesHeadersAndFlagsThatMakeNoSense() {
        byte[] good = Frame.syn("198.51.100.30");
        assertThat(verdict(Frame.cut(good, 14 + 12))).isEqualTo(GuardVerdict.TRUNCATED);
        assertThat(verdict(Frame.cut(good, 14 + 20 + 10))).isEqualTo(GuardVerdict.TRUNCATED);
        assertThat(verdict(Frame.with(good, 14, 0x41))).as("header length").isEqualTo(GuardVerdict.MALFORMED);
        assertThat(verdict(Frame.with(good, 14, 0x65))).as("version").isEqualTo(GuardVerdict.MALFORMED);
        assertThat(verdict(Frame.with(good, 16, 0, 24)))
                .as("padding for header")
                .isEqualTo(GuardVerdict.TRUNCATED);
        assertThat(verdict(Frame.with(good, 46, 0x10))).as("data offset").isEqualTo(GuardVerdict.MALFORMED);
        for (int flags : new int[] {0, Frame.FIN, Frame.SYN | Frame.FIN, Frame.SYN | Frame.RST, 0x29}) {
            assertThat(verdict(Frame.with(good, 47, flags)))
                    .as("flags " + flags)
                    .isEqualTo(GuardVerdict.MALFORMED);
        }
        assertThat(verdict(Frame.cut(Frame.udp("2001:db8:f::1"), 14 + 39))).isEqualTo(GuardVerdict.TRUNCATED);
        assertThat(verdict(Frame.with(good, 12, 0x08, 0x06))).as("ARP").isEqualTo(GuardVerdict.OTHER);
    }

    @Test
    void survivesAnything() {
        Random random = new Random(7);
        byte[][] seeds = {Frame.syn("198.51.100.40"), Frame.syn("2001:db8:d::1"), Frame.tagged(Frame.udp(BAD), 1, 2)};
        for (int i = 0; i < 20_000; i++) {
            byte[] frame = seeds[i % seeds.length].clone();
            for (int change = random.nextInt(6); change >= 0; change--) {
                frame[12 + random.nextInt(frame.length - 12)] = (byte) random.nextInt();
            }
            verdict(Frame.cut(frame, 14 + random.nextInt(frame.length - 13)));
        }
    }

    @Test
    void onlyCountsWhenItObserves() {
        try (KernelGuard observing = KernelGuard.open(settings(false))) {
            observing.enter(GuardList.BLOCK, List.of(Cidr.parse(BAD)), 0);

            assertThat(observing.tryPacket(Frame.udp(BAD), 3).passes()).isTrue();
            assertThat(observing.verdicts()).containsEntry(GuardVerdict.BLOCKED, 3L);
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.aether.bench.guard;

import io.aether.agent.bpf.Cidr;
import io.aether.agent.bpf.GuardList;
import io.aether.agent.bpf.GuardVerdict;
import io.aether.agent.bpf.KernelGuard;
import io.aether.bench.Report;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntFunction;

/**
 * Time of one run of the program by BPF_PROG_TEST_RUN, on each of its paths: the median of some rounds of a million runs.
 * What such a run costs without any program is in it.
 */
final class Verdicts {
    private static final int RUNS = 1_000_000;
    private static final int TCP = 6;
    private static final int UDP = 17;
    private static final int SYN = 2;
    private static final int ACK = 16;
    private static final int MANY = 100_000;
    private static final String TARGET = "198.51.100.1";

    private final int rounds;

    Verdicts(int rounds) {
        this.rounds = rounds;
    }

    void measure(Report report) throws IOException {
        try (KernelGuard guard = Guards.loose(1_000_000, 1_000_000)) {
            guard.enter(GuardList.BLOCK, List.of(Cidr.parse("198.18.0.0/15")), 0);
            established(report, guard);
            // A source each round, because a round spends its credit.
            row(report, "syn", guard, GuardVerdict.SYN, i -> tcp("203.0.113." + (i + 1), TARGET, 1, 80, SYN));
            row(report, "blocked", guard, GuardVerdict.BLOCKED, i -> tcp("198.18.0.9", TARGET, 1, 80, SYN));
            row(report, "pass", guard, GuardVerdict.OTHER, i -> udp("203.0.113.9"));
            row(report, "management", guard, GuardVerdict.MANAGEMENT, i -> udp("10.0.0.9"));
            List<Cidr> many = new ArrayList<>();
            for (int i = 0; i < MANY; i++) {
                many.add(Cidr.parse("11." + (i >> 16) + "." + (i >> 8 & 255) + "." + (i & 255)));
            }
            guard.enter(GuardList.BLOCK, many, 0);
            row(report, "blocked of 100,000", guard, GuardVerdict.BLOCKED, i -> udp("11.0.77.77"));
            row(report, "pass beside 100,000", guard, GuardVerdict.OTHER, i -> udp("203.0.113.9"));
        }
        try (KernelGuard guard = Guards.loose(1, 1)) {
            row(report, "syn over the rate", guard, GuardVerdict.SYN_RATE, i -> tcp("203.0.113.1", TARGET, 1, 80, SYN));
        }
    }

    /** A segment of a connection that this process has. */
    private void established(Report report, KernelGuard guard) throws IOException {
        InetAddress loopback = InetAddress.getLoopbackAddress();
        try (ServerSocket server = new ServerSocket(0, 1, loopback);
                Socket client = new Socket(loopback, server.getLocalPort());
                Socket accepted = server.accept()) {
            byte[] segment = tcp("127.0.0.1", "127.0.0.1", client.getLocalPort(), accepted.getLocalPort(), ACK);
            row(report, "established", guard, GuardVerdict.ESTABLISHED, i -> segment);
        }
    }

    private void row(Report report, String name, KernelGuard guard, GuardVerdict verdict, IntFunction<byte[]> frames) {
        long[] nanos = new long[rounds];
        long before = guard.verdicts().getOrDefault(verdict, 0L);
        for (int i = 0; i < rounds; i++) {
            nanos[i] = guard.tryPacket(frames.apply(i), RUNS).nanos();
        }
        long counted = guard.verdicts().getOrDefault(verdict, 0L) - before;
        if (counted < 0.999 * rounds * RUNS) {
            throw new IllegalStateException(name + ": only " + counted + " of " + rounds * RUNS + " were " + verdict);
        }
        Arrays.sort(nanos);
        report.add("verdict " + name, (double) nanos[rounds / 2], "ns");
    }

    private static byte[] udp(String source) {
        return ip(source, TARGET, UDP, new byte[20]);
    }

    private static byte[] tcp(String source, String target, int sourcePort, int targetPort, int flags) {
        byte[] segment = ByteBuffer.allocate(20)
                .putShort(0, (short) sourcePort)
                .putShort(2, (short) targetPort)
                .put(12, (byte) 0x50)
                .put(13, (byte) flags)
                .array();
        return ip(source, target, TCP, segment);
    }

    private static byte[] ip(String source, String target, int protocol, byte[] payload) {
        try {
            return ByteBuffer.allocate(34 + payload.length)
                    .putShort(12, (short) 0x0800)
                    .put(14, (byte) 0x45)
                    .putShort(16, (short) (20 + payload.length))
                    .put(22, (byte) 64)
                    .put(23, (byte) protocol)
                    .put(26, InetAddress.getByName(source).getAddress())
                    .put(30, InetAddress.getByName(target).getAddress())
                    .put(34, payload)
                    .array();
        } catch (IOException e) {
            throw new IllegalArgumentException(e); // Only for a name, and these are literals.
        }
    }
}

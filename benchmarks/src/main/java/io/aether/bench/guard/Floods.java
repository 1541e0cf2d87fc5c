// SPDX-License-Identifier: Apache-2.0
package io.aether.bench.guard;

import io.aether.agent.bpf.Cidr;
import io.aether.agent.bpf.GuardList;
import io.aether.agent.bpf.GuardVerdict;
import io.aether.agent.bpf.KernelGuard;
import io.aether.bench.Host;
import io.aether.bench.Report;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Packets dropped in a second of CPU time: by the guard, by nftables where it usually filters (input), and by nftables as
 * early as it can (ingress), in turns under the same flood. The CPU time is that of the kernel thread that receives, and of
 * nothing else.
 */
final class Floods {
    private static final int PORT = 9;
    private static final int SOURCES = 65_536;
    private static final double NANOS_PER_SECOND = 1e9;
    private static final String RULE = "ip saddr " + Arena.ATTACKERS + " counter drop";
    private static final Pattern COUNTER = Pattern.compile("counter packets (\\d+)");

    private final Arena arena;
    private final int rounds;
    private final int seconds;

    Floods(Arena arena, int rounds, int seconds) {
        this.arena = arena;
        this.rounds = rounds;
        this.seconds = seconds;
    }

    /** What one way of dropping dropped, and what that took. */
    private static final class Arm {
        private long drops;
        private long nanos;

        double perSecond() {
            return drops / (nanos / NANOS_PER_SECOND);
        }
    }

    void measure(Report report) throws IOException, InterruptedException {
        Arm guard = new Arm();
        Arm input = new Arm();
        Arm ingress = new Arm();
        String ingressHook = "ingress device " + arena.name();
        for (int i = 0; i < rounds; i++) {
            guarded(guard);
            filtered(input, "inet", "input");
            filtered(ingress, "netdev", ingressHook);
        }
        report.add("drops per CPU second, guard", guard.perSecond(), "packets/s");
        report.add("drops per CPU second, nftables input", input.perSecond(), "packets/s");
        report.add("drops per CPU second, nftables ingress", ingress.perSecond(), "packets/s");
        report.add("guard over nftables input", guard.perSecond() / input.perSecond(), "x");
        report.add("guard over nftables ingress", guard.perSecond() / ingress.perSecond(), "x");
    }

    private void guarded(Arm arm) throws IOException, InterruptedException {
        try (KernelGuard guard = Guards.on(arena.name(), true, 100, 100)) {
            guard.enter(GuardList.BLOCK, List.of(Cidr.parse(Arena.ATTACKERS)), 0);
            arm.nanos += flood();
            arm.drops += guard.verdicts().getOrDefault(GuardVerdict.BLOCKED, 0L);
        }
    }

    private void filtered(Arm arm, String family, String hook) throws IOException, InterruptedException {
        Host.feed(
                "table " + family + " bench {\n chain c {\n  type filter hook " + hook + " priority 0;\n  " + RULE
                        + "\n }\n}\n",
                "nft",
                "-f",
                "-");
        try {
            arm.nanos += flood();
            Matcher counter = COUNTER.matcher(Host.run("nft", "list", "table", family, "bench"));
            if (!counter.find()) {
                throw new IOException("nft lists no counter");
            }
            arm.drops += Long.parseLong(counter.group(1));
        } finally {
            Host.run("nft", "delete", "table", family, "bench");
        }
    }

    /** One flood, as fast as it goes; the receiver's CPU time in ns. */
    private long flood() throws IOException, InterruptedException {
        long before = receiverNanos();
        Process flood = arena.flood("udp", PORT, SOURCES, 0, seconds);
        if (flood.waitFor() != 0) {
            throw new IOException("the flood failed");
        }
        Thread.sleep(50); // for the last packets
        return receiverNanos() - before;
    }

    private long receiverNanos() throws IOException {
        long nanos = 0;
        int threads = 0;
        try (Stream<Path> processes = Files.list(Path.of("/proc"))) {
            for (Path process : processes.filter(this::isReceiver).toList()) {
                nanos += Long.parseLong(
                        Files.readString(process.resolve("schedstat")).split(" ", 2)[0]);
                threads++;
            }
        }
        if (threads == 0) {
            throw new IOException("no kernel thread receives for " + arena.name() + ": threaded NAPI needs Linux 5.12");
        }
        return nanos;
    }

    private boolean isReceiver(Path process) {
        try {
            return Character.isDigit(process.getFileName().toString().charAt(0))
                    && Files.readString(process.resolve("comm")).startsWith("napi/" + arena.name() + "-");
        } catch (IOException ended) {
            return false;
        }
    }
}

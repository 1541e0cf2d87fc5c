// SPDX-License-Identifier: Apache-2.0
package io.aether.bench.guard;

import io.aether.agent.bpf.GuardVerdict;
import io.aether.agent.bpf.KernelGuard;
import io.aether.bench.Report;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;

/** Honest connections while many sources ask for far more than their rate; with the guard enforcing, and only observing. */
final class Connections {
    private static final int SOURCES = 64;
    private static final int FLOOD_RATE = 50_000;
    private static final int FLOOD_SECONDS = 60;
    private static final int SYN_RATE = 50;
    private static final int SYN_BURST = 100;

    private final Arena arena;
    private final int count;

    Connections(Arena arena, int count) {
        this.arena = arena;
        this.count = count;
    }

    void measure(Report report) throws IOException, InterruptedException {
        under(report, "guarded", true);
        under(report, "observed", false);
    }

    private void under(Report report, String arm, boolean enforce) throws IOException, InterruptedException {
        try (ServerSocket server = new ServerSocket(0);
                KernelGuard guard = Guards.on(arena.name(), enforce, SYN_RATE, SYN_BURST)) {
            Thread acceptor = new Thread(() -> accept(server), "acceptor");
            acceptor.setDaemon(true);
            acceptor.start();
            Process flood = arena.flood("syn", server.getLocalPort(), SOURCES, FLOOD_RATE, FLOOD_SECONDS);
            try {
                TimeUnit.SECONDS.sleep(1);
                long before = floodSeen(guard);
                long start = System.nanoTime();
                String[] figures = clients(server.getLocalPort());
                double seconds = (System.nanoTime() - start) / 1e9;
                report.add("connections " + arm, count, "connections");
                report.add("connections that succeeded " + arm, Double.parseDouble(figures[0]), "connections");
                report.add("connect p50 " + arm, Double.parseDouble(figures[1]), "ms");
                report.add("connect p99 " + arm, Double.parseDouble(figures[2]), "ms");
                report.add("flood over the rate " + arm, (floodSeen(guard) - before) / seconds, "packets/s");
            } finally {
                flood.destroy();
                flood.waitFor(5, TimeUnit.SECONDS);
            }
        }
    }

    private static long floodSeen(KernelGuard guard) {
        return guard.verdicts().getOrDefault(GuardVerdict.SYN_RATE, 0L);
    }

    private static void accept(ServerSocket server) {
        try {
            while (true) {
                server.accept().close();
            }
        } catch (IOException e) {
            // The server is closed.
        }
    }

    /** Successes, median and 99th percentile in ms. */
    private String[] clients(int port) throws IOException, InterruptedException {
        Process clients = new ProcessBuilder(Arena.java(
                        arena.source(), Clients.class, Arena.TARGET, Integer.toString(port), Integer.toString(count)))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        String line = new String(clients.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
        if (clients.waitFor() != 0) {
            throw new IOException("the clients failed: " + line);
        }
        return line.strip().split(" ");
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.aether.bench.overhead;

import io.aether.bench.ProcessorTime;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.HdrHistogram.Histogram;

/**
 * Requests at a fixed rate over a few connections that stay, each request on a schedule that does not wait for the answers
 * before it; optionally short connections beside them. Latency counts from the moment a request was due.
 */
final class Load implements AutoCloseable {
    private static final int CONNECTIONS = 16;
    /**
     * The 99th percentile leaves out one request in a hundred, and a processor that is away holds up those of both sides: at
     * 0.2 % of the time it is what it is at none, at 0.5 % about twice that.
     */
    private static final double DISTURBED = 0.002;

    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

    private final InetSocketAddress server;
    private final ExecutorService threads = Executors.newCachedThreadPool(task -> {
        Thread thread = new Thread(task, "load");
        thread.setDaemon(true);
        return thread;
    });

    Load(InetSocketAddress server) {
        this.server = server;
    }

    /**
     * What came of one run.
     *
     * @param latencies nanoseconds, of the requests on the connections that stay
     * @param nanos how long it took
     * @param connections short connections made
     * @param stolen share of the machine's processors that a hypervisor gave to other machines meanwhile, 0 to 1
     */
    record Result(Histogram latencies, long nanos, long connections, double stolen) {
        double perSecond() {
            return (double) latencies.getTotalCount() * SECOND / nanos;
        }

        double p99Micros() {
            return latencies.getValueAtPercentile(99) / 1e3;
        }

        /** Whether other machines on this host left its 99th percentile alone. */
        boolean calm() {
            return stolen <= DISTURBED;
        }
    }

    /**
     * Runs it.
     *
     * @param rate requests per second over all connections that stay
     * @param shortRate connections per second that carry one request
     * @param nanos for how long
     */
    Result run(int rate, int shortRate, long nanos) throws IOException, InterruptedException {
        ProcessorTime before = ProcessorTime.now();
        long start = System.nanoTime();
        List<Future<Histogram>> parts = new ArrayList<>();
        for (int i = 0; i < CONNECTIONS; i++) {
            long period = SECOND * CONNECTIONS / rate;
            long first = start + period * i / CONNECTIONS;
            parts.add(threads.submit(() -> onOneConnection(first, period, start + nanos)));
        }
        Future<Long> shortOnes = threads.submit(shortConnections(shortRate, start, start + nanos));
        Histogram all = new Histogram(60 * SECOND, 3);
        for (Future<Histogram> part : parts) {
            all.add(get(part));
        }
        long connections = get(shortOnes);
        double stolen = ProcessorTime.now().stolenSince(before);
        return new Result(all, System.nanoTime() - start, connections, stolen);
    }

    private Histogram onOneConnection(long first, long period, long end) throws IOException {
        Histogram latencies = new Histogram(60 * SECOND, 3);
        try (Connection connection = new Connection(server, false)) {
            for (long due = first; due - end < 0; due += period) {
                await(due);
                connection.exchange();
                latencies.recordValue(System.nanoTime() - due);
            }
        }
        return latencies;
    }

    private Callable<Long> shortConnections(int rate, long start, long end) {
        return () -> {
            long made = 0;
            for (long due = start; rate > 0 && due - end < 0; due += SECOND / rate) {
                await(due);
                try (Connection connection = new Connection(server, true)) {
                    connection.exchange();
                    made++;
                }
            }
            return made;
        };
    }

    private static void await(long due) {
        for (long left = due - System.nanoTime(); left > 0; left = due - System.nanoTime()) {
            LockSupport.parkNanos(left);
        }
    }

    private static <T> T get(Future<T> part) throws IOException, InterruptedException {
        try {
            return part.get();
        } catch (ExecutionException e) {
            throw new IOException("the load failed: " + e.getCause(), e);
        }
    }

    @Override
    public void close() {
        threads.shutdownNow();
    }
}

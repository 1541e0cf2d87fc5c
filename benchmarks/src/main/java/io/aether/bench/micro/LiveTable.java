// SPDX-License-Identifier: Apache-2.0
package io.aether.bench.micro;

import io.aether.core.table.EndpointAddress;
import io.aether.core.table.EndpointHealth;
import io.aether.core.table.TableFile;
import io.aether.core.table.TableLayout;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;

/**
 * A table in a temporary file that a thread rewrites every 10 ms, as the pump does: fresh, and now and then torn. A large one only
 * as often as leaves a processor to the benchmark; it stays fresh all the same.
 */
final class LiveTable implements AutoCloseable {
    static final long NETNS = 4026531840L;
    static final String HOST = "127.0.0.1";
    static final int FIRST_PORT = 18000;

    private static final int LEAST_SLOTS = 4096;
    private static final long BEAT_NANOS = 10_000_000;
    private static final long BEAT_NANOS_EACH = 5_000;

    private final Path directory;
    private final Path file;
    private final TableFile table;
    private final EndpointAddress[] endpoints;
    private final EndpointHealth health = new EndpointHealth();
    private final Thread pump;
    private volatile boolean stopped;

    LiveTable(int endpoints) throws IOException {
        this.directory = Files.createTempDirectory("aether-micro");
        this.file = directory.resolve("health");
        this.table =
                TableFile.create(file, Math.max(LEAST_SLOTS, Integer.highestOneBit(endpoints) << 2), System.nanoTime());
        this.endpoints =
                IntStream.range(0, endpoints).mapToObj(LiveTable::address).toArray(EndpointAddress[]::new);
        this.pump = new Thread(this::run, "pump");
        beat();
        pump.setDaemon(true);
        pump.start();
    }

    Path file() {
        return file;
    }

    static EndpointAddress address(int index) {
        return TableFile.address(HOST, FIRST_PORT + index);
    }

    private void run() {
        while (!stopped) {
            beat();
            LockSupport.parkNanos(Math.max(BEAT_NANOS, endpoints.length * BEAT_NANOS_EACH));
        }
    }

    private void beat() {
        long now = System.nanoTime();
        health.pathTimeNanos = now;
        health.reportTimeNanos = now;
        health.ecnTimeNanos = now;
        health.srttMicros = 180;
        health.minRttMicros = 40;
        health.runQueueMicros = 12;
        health.sojournMicros = 60;
        health.source = TableLayout.FROM_NODE;
        for (EndpointAddress endpoint : endpoints) {
            table.put(NETNS, endpoint, TableLayout.KIND_PEER, health);
        }
        table.heartbeat(now);
    }

    @Override
    public void close() throws IOException {
        stopped = true;
        LockSupport.unpark(pump);
        Files.deleteIfExists(file);
        Files.deleteIfExists(directory);
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.aether.bench.detect;

import io.aether.agent.bpf.HealthSettings;
import io.aether.agent.bpf.KernelProbes;
import io.aether.agent.bpf.ProbeSettings;
import io.aether.agent.bpf.ProbeStatus;
import io.aether.agent.bpf.ProbesUnavailableException;
import io.aether.agent.cgroup.CgroupFinder;
import io.aether.agent.cgroup.CgroupNotFoundException;
import io.aether.bench.BenchOptions;
import io.aether.bench.Report;
import io.aether.core.NanoClock;
import io.aether.core.table.EndpointAddress;
import io.aether.core.table.HealthTable;
import io.aether.core.table.NetworkNamespace;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.HdrHistogram.Histogram;

/**
 * From an event in the kernel to the slot that shows it: a listener is opened and closed again and again, the program
 * that sees it stamps the time, the pump writes the slot, and a thread that spins on the slot through the applications'
 * own reader compares. Everything in between is counted: ring buffer, wake-up of the pump, and the write.
 */
public final class DetectBench {
    private static final int WARM_UP = 400;
    private static final long NOTICE_NANOS = TimeUnit.SECONDS.toNanos(2);
    private static final double NANOS_PER_MICRO = 1e3;

    private DetectBench() {}

    public static void main(String[] args) throws Exception {
        BenchOptions options = BenchOptions.parse("detect", args);
        Path directory = Files.createTempDirectory("aether-detect");
        int code = 0;
        try {
            code = run(directory, options.quick() ? 1_000 : 6_000, options);
        } finally {
            Files.deleteIfExists(directory.resolve("health"));
            Files.delete(directory);
        }
        System.exit(code);
    }

    private static int run(Path directory, int events, BenchOptions options) throws Exception {
        Path file = directory.resolve("health");
        try (KernelProbes probes = KernelProbes.open(ProbeSettings.defaults(file, cgroup())
                .withProbes(false, true, false)
                .withHealth(HealthSettings.defaults().withEnabled(false)))) {
            for (ProbeStatus status : probes.attach()) {
                if (status.name().equals("queue") && status.state() != ProbeStatus.State.ATTACHED) {
                    return missing(status.reason(), status.fix());
                }
            }
            probes.startPump();
            Report report = report(measure(file, events));
            addWrites(report, probes.latenciesMicros());
            options.show(report);
            return 0;
        } catch (ProbesUnavailableException e) {
            return missing(e.reason(), e.fix());
        } catch (CgroupNotFoundException e) {
            return missing(String.valueOf(e.getMessage()), e.fix());
        }
    }

    private static Path cgroup() throws CgroupNotFoundException {
        return new CgroupFinder(Path.of("/")).find(null).path();
    }

    private static int missing(String reason, String fix) {
        System.err.println("detect: the kernel cannot be watched: " + reason + ". Fix: " + fix);
        return BenchOptions.PREREQUISITE;
    }

    private static Histogram measure(Path file, int events) throws Exception {
        InetAddress loopback = InetAddress.getLoopbackAddress();
        int port = freePort(loopback);
        NanoClock clock = NanoClock.system();
        try (HealthTable table = HealthTable.open(file, clock)) {
            EndpointAddress address = EndpointAddress.of(loopback, port);
            SlotReader reader = new SlotReader(table, clock, NetworkNamespace.inodeOfSelf(), address, WARM_UP);
            Thread thread = new Thread(reader, "slot-reader");
            thread.setDaemon(true);
            thread.start();
            try {
                cause(reader, new InetSocketAddress(loopback, port), WARM_UP + events);
            } finally {
                reader.stop();
                thread.join();
            }
            return reader.ages();
        }
    }

    /** Opens and closes a listener, each change only after the one before was seen. */
    private static void cause(SlotReader reader, InetSocketAddress address, int events) throws IOException {
        for (int i = 0; i < events; i += 2) {
            try (ServerSocket listener = new ServerSocket()) {
                listener.setReuseAddress(true);
                listener.bind(address);
                await(reader, i + 1);
            }
            await(reader, i + 2);
        }
    }

    private static void await(SlotReader reader, int changes) {
        long since = System.nanoTime();
        while (reader.changes() < changes) {
            if (System.nanoTime() - since > NOTICE_NANOS) {
                throw new IllegalStateException("change " + changes + " did not reach the table within 2 s");
            }
            LockSupport.parkNanos(50_000);
        }
        // At every phase of the pump's own tick.
        LockSupport.parkNanos(ThreadLocalRandom.current().nextLong(500_000, 2_500_000));
    }

    private static int freePort(InetAddress address) throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, address)) {
            return socket.getLocalPort();
        }
    }

    /** The pump's own account of the same events, to tell its share from the reader's. */
    private static void addWrites(Report report, long[] micros) {
        Histogram writes = new Histogram(10_000_000L, 3);
        for (long value : micros) {
            writes.recordValue(value);
        }
        report.add("event-to-write p50", (double) writes.getValueAtPercentile(50), "us");
        report.add("event-to-write p99", (double) writes.getValueAtPercentile(99), "us");
    }

    private static Report report(Histogram ages) {
        Report report = new Report("detect");
        report.add("event-to-slot p50", ages.getValueAtPercentile(50) / NANOS_PER_MICRO, "us");
        report.add("event-to-slot p99", ages.getValueAtPercentile(99) / NANOS_PER_MICRO, "us");
        report.add("event-to-slot max", ages.getMaxValue() / NANOS_PER_MICRO, "us");
        report.add("events", (double) ages.getTotalCount(), "events");
        return report;
    }
}

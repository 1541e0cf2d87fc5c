// SPDX-License-Identifier: Apache-2.0
package io.aether.bench.stall;

import io.aether.agent.bpf.HealthSettings;
import io.aether.agent.bpf.KernelProbes;
import io.aether.agent.bpf.ProbeSettings;
import io.aether.agent.bpf.ProbeStatus;
import io.aether.agent.bpf.ProbesUnavailableException;
import io.aether.agent.cgroup.CgroupFinder;
import io.aether.agent.cgroup.CgroupNotFoundException;
import io.aether.bench.BenchOptions;
import io.aether.bench.Cleanup;
import io.aether.bench.ExitCode;
import io.aether.bench.Host;
import io.aether.bench.PrerequisiteException;
import io.aether.bench.ProcessorTime;
import io.aether.bench.Report;
import io.aether.core.NanoClock;
import io.aether.core.table.EndpointAddress;
import io.aether.core.table.EndpointHealth;
import io.aether.core.table.HealthTable;
import io.aether.core.table.NetworkNamespace;
import io.aether.core.table.TableException;
import io.aether.core.table.TableLayout;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * From the moment a server is stopped to the slot of its clients' table that says so, when all they have is what the
 * server's kernel puts into its acknowledgements. The server runs in another network namespace and the agent is told to
 * take it for another node's. Two arms in turn: acknowledgements shortened, and as the kernel delays them by itself.
 */
public final class StallBench {
    private static final int TURNS = 4;
    private static final int WARM_UP = 2;
    private static final long LIMIT_NANOS = TimeUnit.MILLISECONDS.toNanos(300);
    private static final long SETTLE_NANOS = TimeUnit.SECONDS.toNanos(3);
    private static final long PAUSE_NANOS = TimeUnit.MICROSECONDS.toNanos(50);

    private final NanoClock clock = NanoClock.system();
    private final EndpointHealth health = new EndpointHealth();
    private final Stage stage;
    private final Path file;
    private final EndpointAddress server;
    private final long netns = NetworkNamespace.inodeOfSelf();

    private StallBench(Stage stage) throws IOException {
        this.stage = stage;
        this.file = stage.table();
        this.server =
                EndpointAddress.of(stage.address().getAddress(), stage.address().getPort());
    }

    public static void main(String[] args) {
        BenchOptions options = BenchOptions.parse("stall", args);
        System.exit(ExitCode.of("stall", System.err, () -> run(options, System.err)));
    }

    private static void run(BenchOptions options, PrintStream err) throws IOException, PrerequisiteException {
        Report report = new Report("stall");
        try (Cleanup cleanup = new Cleanup(err)) {
            Stage stage = Stage.set(new CgroupFinder(Path.of("/")).find(null).path(), cleanup);
            // Requests that do not leave in time, and looks that are late, would count as delays of the word.
            Host.hurry();
            new StallBench(stage).compare(options.quick() ? 10 : 50, report);
        } catch (ProbesUnavailableException e) {
            throw missing(e.reason(), e.fix());
        } catch (CgroupNotFoundException e) {
            throw missing(String.valueOf(e.getMessage()), e.fix());
        } catch (TableException e) {
            throw new IOException(e);
        }
        options.show(report);
    }

    private static PrerequisiteException missing(String reason, String fix) {
        return new PrerequisiteException("stall: the kernel cannot be watched: " + reason + ". Fix: " + fix);
    }

    private void compare(int freezes, Report report) throws IOException, TableException {
        Ages shortened = new Ages();
        Ages plain = new Ages();
        HealthSettings arm = HealthSettings.defaults();
        for (int i = 0; i < TURNS; i++) {
            measure(arm, shortened, freezes);
            measure(arm.withDelayedAck(Duration.ZERO), plain, freezes);
        }
        shortened.report(report, "short-ack");
        plain.report(report, "plain");
    }

    /** One turn of one arm, on connections of its own. */
    private void measure(HealthSettings arm, Ages ages, int freezes) throws IOException, TableException {
        ProbeSettings settings = ProbeSettings.defaults(file, stage.watched())
                .withProbes(true, true, false)
                .withHealth(arm)
                .withNodeReports(false);
        try (KernelProbes probes = KernelProbes.open(settings)) {
            for (ProbeStatus status : probes.attach()) {
                if (status.name().matches("queue|health") && status.state() != ProbeStatus.State.ATTACHED) {
                    throw new ProbesUnavailableException(status.reason(), status.fix());
                }
            }
            probes.startPump();
            try (HealthTable table = HealthTable.open(file, clock);
                    Requests requests = new Requests(stage.address())) {
                for (int i = -WARM_UP; i < freezes; i++) {
                    settle(table, requests);
                    ProcessorTime before = ProcessorTime.now();
                    long age = freeze(table, requests);
                    if (i >= 0) {
                        ages.add(age, ProcessorTime.now().stolenSince(before) > 0);
                    }
                }
            }
        }
    }

    /** Traffic as usual until the last stall is over, and then for some random time. */
    private void settle(HealthTable table, Requests requests) throws IOException {
        long limit = clock.nanos() + SETTLE_NANOS;
        long end = clock.nanos() + random(60, 120);
        while (clock.nanos() - end < 0) {
            turn(requests);
            if (stalled(table)) {
                end = clock.nanos() + random(60, 120);
            }
            if (clock.nanos() - limit > 0) {
                throw new IllegalStateException("the server answers again, but still counts as stalled");
            }
        }
    }

    /**
     * Nanoseconds from the freeze to the slot; at the limit when it never showed. The order to freeze reaches the server's
     * threads one by one: as long as answers come, it is not frozen.
     */
    private long freeze(HealthTable table, Requests requests) throws IOException {
        long start = clock.nanos();
        stage.freeze(true);
        try {
            while (!stalled(table) && clock.nanos() - start < LIMIT_NANOS) {
                turn(requests);
            }
            return clock.nanos() - Math.max(start, requests.lastAnswer());
        } finally {
            stage.freeze(false);
        }
    }

    private void turn(Requests requests) throws IOException {
        requests.turn(clock.nanos());
        LockSupport.parkNanos(PAUSE_NANOS);
    }

    private boolean stalled(HealthTable table) {
        int kind = TableLayout.KIND_PEER;
        int slot = table.find(netns, server.hi(), server.lo(), server.port(), kind);
        return table.read(slot, netns, server.hi(), server.lo(), server.port(), kind, health) && health.stalled();
    }

    private static long random(long fromMillis, long toMillis) {
        return ThreadLocalRandom.current().nextLong(fromMillis * 1_000_000, toMillis * 1_000_000);
    }
}

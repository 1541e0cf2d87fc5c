// SPDX-License-Identifier: Apache-2.0
package io.aether.agent.view;

import io.aether.core.NanoClock;
import io.aether.core.table.EndpointAddress;
import io.aether.core.table.EndpointHealth;
import io.aether.core.table.HealthTable;
import io.aether.core.table.TableLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/** Reads the whole health table into records: one pass over its memory per call, nothing is kept. Thread-safe. */
public final class TableView {
    private static final long NANOS_PER_MILLI = 1_000_000;
    /** As long as marks count without a further one. */
    private static final long STATUS_MILLIS = 60_000;

    private final HealthTable table;
    private final NanoClock clock;
    private final LongFunction<String> cgroupName;

    /** @param cgroupName the short name of a cgroup id */
    public TableView(HealthTable table, NanoClock clock, LongFunction<String> cgroupName) {
        this.table = table;
        this.clock = clock;
        this.cgroupName = cgroupName;
    }

    /** What the table holds now. */
    public Endpoints read() {
        List<PeerView> peers = new ArrayList<>();
        List<LocalView> locals = new ArrayList<>();
        long now = clock.nanos();
        table.forEach((netns, address, health) -> {
            if (health.kind == TableLayout.KIND_PEER) {
                peers.add(peer(netns, address, health, now));
            } else {
                locals.add(local(netns, address, health, now));
            }
        });
        return new Endpoints(peers, locals);
    }

    private PeerView peer(long netns, EndpointAddress address, EndpointHealth health, long now) {
        return new PeerView(
                address.address().getHostAddress(),
                address.port(),
                netns,
                health.congested(),
                health.stalled(),
                health.gone(),
                health.pathTimeNanos == 0 ? null : path(health, now),
                report(health, now),
                http(health, now),
                ecn(health, now));
    }

    private LocalView local(long netns, EndpointAddress address, EndpointHealth health, long now) {
        boolean any = address.address().isAnyLocalAddress();
        return new LocalView(
                any ? "*" : address.address().getHostAddress(),
                address.port(),
                netns,
                health.queueTimeNanos == 0 || health.cgroup == 0 ? "" : cgroupName.apply(health.cgroup),
                health.stalled(),
                health.gone(),
                health.queueTimeNanos == 0 ? null : queue(health, now),
                report(health, now),
                http(health, now),
                ecn(health, now));
    }

    private static PathView path(EndpointHealth health, long now) {
        return new PathView(
                age(health.pathTimeNanos, now),
                health.srttMicros,
                health.minRttMicros,
                health.cwnd,
                health.inFlightBytes,
                health.pathConnections,
                health.retransPermille,
                health.segsOut,
                health.retrans,
                health.synRetrans,
                health.congested() ? age(health.congestedSinceNanos, now) : 0);
    }

    private static QueueView queue(EndpointHealth health, long now) {
        return new QueueView(
                age(health.queueTimeNanos, now),
                health.queueSojournMicros,
                health.queueSojournMaxMicros,
                health.unread,
                health.acceptQueue,
                health.acceptMax,
                health.queueConnections,
                health.reads,
                health.arrivals);
    }

    private static @Nullable ReportView report(EndpointHealth health, long now) {
        if (health.reportTimeNanos == 0) {
            return null;
        }
        return new ReportView(
                age(health.reportTimeNanos, now),
                health.source == TableLayout.FROM_OPTION ? "option" : "node",
                health.stallAgeMicros,
                health.sojournMicros,
                health.runQueueMicros,
                health.runQueueP99Micros,
                health.throttledPermille,
                health.pressure,
                health.inFlight,
                health.waiting,
                health.estimatedWaitMicros);
    }

    private static @Nullable HttpView http(EndpointHealth health, long now) {
        if (health.httpTimeNanos == 0) {
            return null;
        }
        return new HttpView(
                age(health.httpTimeNanos, now),
                health.ttfbMicros,
                health.answersPerSecond,
                health.class2xx,
                health.class4xx,
                health.class5xx,
                health.classUnknown);
    }

    private static EcnView ecn(EndpointHealth health, long now) {
        List<String> rungs = new ArrayList<>();
        if ((health.rungs & TableLayout.RUNG_MARKS) != 0) {
            rungs.add("marks");
        }
        if ((health.rungs & TableLayout.RUNG_REPORT) != 0) {
            rungs.add("report");
        }
        boolean peer = health.kind == TableLayout.KIND_PEER;
        if (peer && health.httpTimeNanos != 0 && age(health.httpTimeNanos, now) < STATUS_MILLIS) {
            rungs.add("status");
        }
        return new EcnView(health.ce, health.ect, health.cePermille, health.ablePermille, rungs);
    }

    private static long age(long then, long now) {
        return Math.max(0, (now - then) / NANOS_PER_MILLI);
    }
}

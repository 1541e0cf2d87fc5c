// SPDX-License-Identifier: Apache-2.0
package io.aether.agent.metrics;

import static io.aether.agent.metrics.PeerSample.sum;
import static io.aether.agent.metrics.PeerSample.worse;

import io.aether.agent.view.LocalView;
import io.aether.agent.view.QueueView;
import io.aether.agent.view.ReportView;
import java.util.List;

/**
 * One listener's row. Seconds and ratios; NaN is "not shown".
 *
 * @param reads counter
 * @param arrivals counter
 * @param http its answers
 * @param ecn its marks
 */
record LocalSample(
        double sojourn,
        double sojournMax,
        double unread,
        double acceptQueue,
        double acceptLimit,
        double connections,
        double stalled,
        double stallAge,
        double runQueue,
        double runQueueP99,
        double throttled,
        double pressure,
        double running,
        double waiting,
        double estimatedWait,
        long reads,
        long arrivals,
        HttpSample http,
        EcnSample ecn) {

    static final int OWN_COUNTERS = 2;
    static final int COUNTERS = OWN_COUNTERS + HttpSample.COUNTERS + EcnSample.COUNTERS;
    private static final double NOT_SHOWN = Double.NaN;
    private static final double MICROS_PER_SECOND = 1e6;
    private static final double PERMILLE = 1e3;
    private static final double FULL_PRESSURE = 255;

    /** No listener: nothing shown, nothing counted. */
    static final LocalSample NOTHING = new LocalSample(
            NOT_SHOWN,
            NOT_SHOWN,
            0,
            0,
            NOT_SHOWN,
            0,
            NOT_SHOWN,
            NOT_SHOWN,
            NOT_SHOWN,
            NOT_SHOWN,
            NOT_SHOWN,
            NOT_SHOWN,
            0,
            0,
            NOT_SHOWN,
            0,
            0,
            HttpSample.NOTHING,
            EcnSample.NOTHING);

    static final List<Column<LocalSample>> COLUMNS = List.of(
            Column.gauge("aether_endpoint_sojourn_seconds", "Arrival to read, smoothed", LocalSample::sojourn),
            Column.gauge(
                    "aether_endpoint_max_sojourn_seconds", "Arrival to read, worst of 1 s", LocalSample::sojournMax),
            Column.gauge("aether_endpoint_unread_connections", "Connections with unread data", LocalSample::unread),
            Column.gauge("aether_endpoint_accept_queue_connections", "Waiting for accept", LocalSample::acceptQueue),
            Column.gauge("aether_endpoint_accept_queue_limit", "Backlog of the listener", LocalSample::acceptLimit),
            Column.gauge("aether_endpoint_connections", "Open connections", LocalSample::connections),
            Column.gauge("aether_endpoint_stalled", "1 while requests are not read", LocalSample::stalled),
            Column.gauge("aether_endpoint_stall_age_seconds", "Age of the oldest unread data", LocalSample::stallAge),
            Column.gauge("aether_endpoint_run_queue_seconds", "Mean wait for a CPU, 100 ms", LocalSample::runQueue),
            Column.gauge(
                    "aether_endpoint_p99_run_queue_seconds", "Wait for a CPU, P99 of 1 s", LocalSample::runQueueP99),
            Column.gauge("aether_endpoint_throttled_ratio", "Share of 100 ms without quota", LocalSample::throttled),
            Column.gauge("aether_endpoint_pressure_ratio", "Queue wait of its limit", LocalSample::pressure),
            Column.gauge("aether_endpoint_running_requests", "As its application says", LocalSample::running),
            Column.gauge("aether_endpoint_waiting_requests", "As its application says", LocalSample::waiting),
            Column.gauge(
                    "aether_endpoint_estimated_wait_seconds", "As its application says", LocalSample::estimatedWait),
            Column.counter("aether_endpoint_reads", "Reads by the application", LocalSample::reads),
            Column.counter("aether_endpoint_arrivals", "Arrivals of data", LocalSample::arrivals));

    static LocalSample of(LocalView local) {
        QueueView queue = local.queue();
        ReportView report = local.report();
        return new LocalSample(
                queue == null ? NOT_SHOWN : queue.sojournMicros() / MICROS_PER_SECOND,
                queue == null ? NOT_SHOWN : queue.sojournMaxMicros() / MICROS_PER_SECOND,
                queue == null ? NOT_SHOWN : queue.unread(),
                queue == null ? NOT_SHOWN : queue.acceptQueue(),
                queue == null ? NOT_SHOWN : queue.acceptLimit(),
                queue == null ? NOT_SHOWN : queue.connections(),
                local.stalled() ? 1 : 0,
                report == null ? NOT_SHOWN : report.stallAgeMicros() / MICROS_PER_SECOND,
                report == null ? NOT_SHOWN : report.runQueueMicros() / MICROS_PER_SECOND,
                report == null ? NOT_SHOWN : report.runQueueP99Micros() / MICROS_PER_SECOND,
                report == null ? NOT_SHOWN : report.throttledPermille() / PERMILLE,
                report == null ? NOT_SHOWN : report.pressure() / FULL_PRESSURE,
                report == null ? 0.0 : report.inFlight() - report.waiting(),
                report == null ? 0.0 : report.waiting(),
                report == null ? NOT_SHOWN : report.estimatedWaitMicros() / MICROS_PER_SECOND,
                queue == null ? 0 : queue.reads(),
                queue == null ? 0 : queue.arrivals(),
                HttpSample.of(local.http()),
                EcnSample.of(local.ecn()));
    }

    /** One row for two listeners of one name, such as the replicas of a container: sums, and the worse of the rest. */
    LocalSample and(LocalSample other) {
        return new LocalSample(
                worse(sojourn, other.sojourn),
                worse(sojournMax, other.sojournMax),
                sum(unread, other.unread),
                sum(acceptQueue, other.acceptQueue),
                sum(acceptLimit, other.acceptLimit),
                sum(connections, other.connections),
                worse(stalled, other.stalled),
                worse(stallAge, other.stallAge),
                worse(runQueue, other.runQueue),
                worse(runQueueP99, other.runQueueP99),
                worse(throttled, other.throttled),
                worse(pressure, other.pressure),
                sum(running, other.running),
                sum(waiting, other.waiting),
                worse(estimatedWait, other.estimatedWait),
                reads + other.reads,
                arrivals + other.arrivals,
                http.and(other.http),
                ecn.and(other.ecn));
    }

    /** The row of the rest: only what can be added, with the running totals of the counters. */
    LocalSample asOther(long[] totals) {
        return new LocalSample(
                NOT_SHOWN,
                NOT_SHOWN,
                unread,
                acceptQueue,
                NOT_SHOWN,
                connections,
                NOT_SHOWN,
                NOT_SHOWN,
                NOT_SHOWN,
                NOT_SHOWN,
                NOT_SHOWN,
                NOT_SHOWN,
                running,
                waiting,
                NOT_SHOWN,
                totals[0],
                totals[1],
                http.asOther(totals, OWN_COUNTERS),
                ecn.asOther(totals, OWN_COUNTERS + HttpSample.COUNTERS));
    }

    long[] counters() {
        return ecn.counters(http.counters(reads, arrivals));
    }

    /** Listeners in trouble first, then the busiest: the order in which names are given out. */
    double rank() {
        return stalled > 0 ? Double.MAX_VALUE : arrivals;
    }
}

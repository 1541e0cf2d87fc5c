// SPDX-License-Identifier: Apache-2.0
package io.aether.agent.metrics;

import io.aether.agent.bpf.ProbeStatus;
import io.aether.agent.bpf.ProgramStats;
import io.aether.agent.bpf.PumpCounters;
import io.aether.agent.probe.AgentState;
import io.aether.agent.probe.AgentStatus;
import io.aether.core.table.HealthTable;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What the agent says of itself. Stateless. */
final class SelfSeries {
    private static final double NANOS_PER_SECOND = 1e9;

    static final List<Column<AgentStatus>> AGENT = List.of(
            Column.gauge("aether_ebpf_agent_up", "1 while the health table is written", status -> up(status) ? 1 : 0));

    static final List<Column<ProbeStatus>> PROBES = List.of(
            Column.gauge(
                    "aether_ebpf_probe_attached",
                    "1 while the probe is attached",
                    probe -> probe.state() == ProbeStatus.State.ATTACHED ? 1 : 0),
            Column.gauge(
                    "aether_ebpf_probe_programs",
                    "Programs the probe has loaded",
                    probe -> probe.programs().size()));

    static final List<Column<HealthTable>> TABLE = List.of(
            Column.gauge("aether_ebpf_table_slots", "Endpoints the table can hold", HealthTable::slotCount),
            Column.gauge("aether_ebpf_table_used_slots", "Endpoints it holds", HealthTable::used),
            Column.counter("aether_ebpf_table_refused", "Endpoints that found no slot", HealthTable::refused),
            Column.gauge(
                    "aether_ebpf_heartbeat_age_seconds",
                    "Age of the pump's last sign of life",
                    table -> table.heartbeatAgeNanos() / NANOS_PER_SECOND));

    static final List<Column<PumpCounters>> PUMP = List.of(
            Column.counter("aether_ebpf_pump_ticks", "Ticks of the pump", PumpCounters::ticks),
            Column.counter("aether_ebpf_pump_late_ticks", "Ticks over one period late", PumpCounters::lateTicks),
            Column.counter("aether_ebpf_pump_edges", "Edges taken from the rings", PumpCounters::edges),
            Column.counter("aether_ebpf_batch_errors", "Failed reads of whole maps", PumpCounters::batchErrors),
            Column.counter(
                    "aether_ebpf_malformed_options",
                    "Health options that made no sense",
                    PumpCounters::malformedOptions),
            Column.counter(
                    "aether_ebpf_unmatched_tls_answers",
                    "Answers inside TLS without a known connection",
                    PumpCounters::unmatchedAnswers),
            Column.gauge("aether_ebpf_tls_libraries", "TLS libraries attached to", PumpCounters::libraries),
            Column.counter(
                    "aether_ebpf_tls_library_failures",
                    "TLS libraries that could not be attached to",
                    PumpCounters::libraryFailures),
            Column.gauge("aether_ebpf_watched_jvms", "Java processes watched by tls", PumpCounters::jvms),
            Column.gauge(
                    "aether_ebpf_application_files",
                    "Applications whose own queue is read",
                    PumpCounters::applications),
            Column.counter(
                    "aether_ebpf_application_file_refusals",
                    "Files of applications that were not read",
                    PumpCounters::refusedApplications),
            Column.gauge(
                    "aether_ebpf_scrubbed_interfaces", "Interfaces where marks end", PumpCounters::scrubbedInterfaces),
            Column.counter(
                    "aether_ebpf_scrub_failures",
                    "Interfaces where they should and cannot",
                    PumpCounters::scrubFailures));

    static final List<Column<ProgramStats>> PROGRAMS = List.of(
            Column.counter("aether_ebpf_program_events", "Runs that concerned a watched task", ProgramStats::events),
            Column.counter("aether_ebpf_program_runs", "Runs, if the kernel counts them", ProgramStats::runs),
            Column.counter(
                    "aether_ebpf_program_run_seconds",
                    "Time in the program, if the kernel counts it",
                    program -> program.runNanos() / NANOS_PER_SECOND));

    private SelfSeries() {}

    static List<MetricSnapshot> snapshots(
            AgentStatus status, @Nullable HealthTable table, @Nullable PumpCounters counters) {
        List<MetricSnapshot> all = new ArrayList<>();
        AGENT.forEach(column -> all.add(column.snapshot(Map.of(Labels.EMPTY, status))));
        Map<Labels, ProbeStatus> probes = new LinkedHashMap<>();
        status.probes().forEach(probe -> probes.put(Labels.of("probe", probe.name()), probe));
        PROBES.forEach(column -> all.add(column.snapshot(probes)));
        if (table != null) {
            TABLE.forEach(column -> all.add(column.snapshot(Map.of(Labels.EMPTY, table))));
        }
        if (counters != null) {
            pump(counters, all);
        }
        return all;
    }

    private static void pump(PumpCounters counters, List<MetricSnapshot> all) {
        PUMP.forEach(column -> all.add(column.snapshot(Map.of(Labels.EMPTY, counters))));
        Map<Labels, ProgramStats> programs = new LinkedHashMap<>();
        counters.programs()
                .forEach(program ->
                        programs.put(Labels.of("probe", program.probe(), "program", program.name()), program));
        PROGRAMS.forEach(column -> all.add(column.snapshot(programs)));
    }

    private static boolean up(AgentStatus status) {
        return status.state() == AgentState.WATCHING || status.state() == AgentState.DEGRADED;
    }
}

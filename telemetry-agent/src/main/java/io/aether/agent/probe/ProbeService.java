// SPDX-License-Identifier: Apache-2.0
package io.aether.agent.probe;

import io.aether.agent.AgentProperties;
import io.aether.agent.bpf.AnswerSettings;
import io.aether.agent.bpf.ControlCounters;
import io.aether.agent.bpf.ControlSettings;
import io.aether.agent.bpf.EdgeListener;
import io.aether.agent.bpf.HealthSettings;
import io.aether.agent.bpf.Histograms;
import io.aether.agent.bpf.KernelProbes;
import io.aether.agent.bpf.MapStats;
import io.aether.agent.bpf.MarkSettings;
import io.aether.agent.bpf.PinSettings;
import io.aether.agent.bpf.Pins;
import io.aether.agent.bpf.Privileges;
import io.aether.agent.bpf.ProbeCounters;
import io.aether.agent.bpf.ProbeSettings;
import io.aether.agent.bpf.ProbeStatus;
import io.aether.agent.bpf.ProbesUnavailableException;
import io.aether.agent.bpf.PumpCounters;
import io.aether.agent.cgroup.CgroupFinder;
import io.aether.agent.cgroup.CgroupNotFoundException;
import io.aether.agent.guard.GuardService;
import io.aether.core.NanoClock;
import io.aether.core.table.HealthTable;
import io.aether.core.table.TableException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;
import org.springframework.stereotype.Component;

/**
 * Owns the kernel probes: starts them after the web server and stops them before it. Whatever is missing costs only what
 * depends on it; the one thing that stops the agent is a second agent on the same table. Thread-safe.
 */
@Component
public class ProbeService implements SmartLifecycle {
    private static final Logger log = LoggerFactory.getLogger(ProbeService.class);

    private static final Path DEFAULT_CGROUP = Path.of("/sys/fs/cgroup");

    private final AgentProperties properties;
    private final CgroupFinder cgroups;
    private final NanoClock clock;
    private final GuardService guard;

    private AgentState state = AgentState.STARTING;
    private String reason = "";
    private String fix = "";
    private String watched = "";
    private @Nullable Path cgroup;
    private @Nullable TableLock lock;
    private @Nullable KernelProbes probes;
    private @Nullable Thread pump;
    private @Nullable HealthTable table;
    private Privileges privileges = Privileges.untouched();

    public ProbeService(AgentProperties properties, CgroupFinder cgroups, NanoClock clock, GuardService guard) {
        this.guard = guard;
        this.properties = properties;
        this.cgroups = cgroups;
        this.clock = clock;
    }

    @Override
    public synchronized void start() {
        if (isRunning()) {
            return;
        }
        try {
            lock = TableLock.take(properties.tablePath());
            TableLock.removeOfKilledWriter(properties.tablePath(), clock);
            findCgroup();
            open();
            giveUpPrivileges();
        } catch (TableUnwritableException e) {
            settle(
                    AgentState.TABLE_UNWRITABLE,
                    String.valueOf(e.getMessage()),
                    "make it writable for this user, or set" + " aether.agent.table-path to a file on a tmpfs that is");
        } catch (ProbesUnavailableException e) {
            settle(AgentState.UNAVAILABLE, e.reason(), e.fix());
        }
    }

    private void findCgroup() {
        try {
            CgroupFinder.Found found = cgroups.find(properties.cgroup());
            cgroup = found.path();
            watched = found.how();
            if (!found.wholeNode()) {
                log.warn("Watching {}", watched);
            }
        } catch (CgroupNotFoundException e) {
            watched = "nothing: " + e.getMessage() + "; " + e.fix();
            log.warn("No cgroup to watch: {}. Fix: {}.", e.getMessage(), e.fix());
        }
    }

    private void open() {
        KernelProbes opened = KernelProbes.open(settings());
        probes = opened;
        AgentProperties.Pin pin = properties.pin();
        if (pin.enabled()) {
            opened.pin(new PinSettings(pin.directory().toAbsolutePath(), pin.keepOnStop()));
        }
        List<ProbeStatus> statuses = opened.attach();
        pump = opened.startPump();
        if (properties.programStatistics() && !opened.countRuns()) {
            log.warn(
                    "The kernel does not count runs of programs. Fix: CAP_SYS_ADMIN, or sysctl kernel.bpf_stats_enabled=1.");
        }
        try {
            table = HealthTable.open(properties.tablePath(), clock);
        } catch (TableException e) {
            log.error("Cannot read back the health table: {}", e.getMessage());
        }
        statuses.forEach(ProbeService::report);
        StartLog.pins(opened.pins());
        state = AgentState.WATCHING;
        log.info("Writing {}; watching {}", properties.tablePath(), watched);
    }

    /** Comes last: whatever is attached or opened later has to do without. */
    private void giveUpPrivileges() {
        if (probes != null && properties.dropPrivileges()) {
            privileges = probes.dropPrivileges();
            StartLog.privileges(privileges);
        }
    }

    private ProbeSettings settings() {
        AgentProperties.Probes enabled = properties.probes();
        // Where none was found, the probes that need one name this in their reason.
        Path directory = cgroup == null ? DEFAULT_CGROUP : cgroup;
        return ProbeSettings.defaults(properties.tablePath(), directory)
                .withSlots(properties.slots())
                .withThresholds(properties.congestedRtt(), properties.stallAfter())
                .withProbes(
                        enabled.flow().enabled(),
                        enabled.queue().enabled(),
                        enabled.sched().enabled())
                .withHealth(new HealthSettings(
                        enabled.health().enabled(),
                        enabled.health().prefixes(),
                        enabled.health().delayedAck()))
                .withAnswers(new AnswerSettings(
                        enabled.http().enabled(), enabled.tls().enabled()))
                .withMarks(marks(enabled.ecn()))
                .withControl(control(enabled.cc()));
    }

    private static ControlSettings control(AgentProperties.CcProbe cc) {
        return new ControlSettings(cc.enabled(), cc.cgroups(), cc.networks(), cc.rtoMin());
    }

    private static MarkSettings marks(AgentProperties.EcnProbe ecn) {
        return new MarkSettings(
                ecn.enabled(), ecn.markFrom(), ecn.markAll(), ecn.scrub(), ecn.scrubPrefixes(), ecn.ask());
    }

    /** The state of an agent that runs: what some probe lacks shows in it. */
    private AgentStatus judge(List<ProbeStatus> statuses) {
        List<ProbeStatus> failing =
                statuses.stream().filter(status -> !ok(status)).toList();
        if (failing.isEmpty()) {
            return new AgentStatus(AgentState.WATCHING, "", "", watched, statuses);
        }
        String why = failing.stream()
                .map(status -> status.name() + ": " + status.reason())
                .collect(Collectors.joining("; "));
        String what = failing.stream().map(ProbeStatus::fix).distinct().collect(Collectors.joining("; "));
        return new AgentStatus(AgentState.DEGRADED, why, what, watched, statuses);
    }

    private static boolean ok(ProbeStatus status) {
        return status.state() == ProbeStatus.State.ATTACHED || status.state() == ProbeStatus.State.DISABLED;
    }

    private static void report(ProbeStatus status) {
        String name = status.state().name().toLowerCase(Locale.ROOT);
        if (ok(status)) {
            log.info("Probe {}: {}", status.name(), name);
        } else {
            log.warn("Probe {}: {}: {}. Fix: {}.", status.name(), name, status.reason(), status.fix());
        }
    }

    /** One line for the operator; the rest of the agent goes on. */
    private void settle(AgentState end, String why, String what) {
        state = end;
        reason = why;
        fix = what;
        log.error("Not watching: {}. Fix: {}. HTTP is served all the same.", why, what);
    }

    @Override
    public synchronized void stop() {
        if (probes != null) {
            probes.close();
        }
        if (table != null) {
            table.close();
        }
        if (lock != null) {
            lock.close();
        }
        probes = null;
        pump = null;
        table = null;
        lock = null;
        state = AgentState.STOPPED;
    }

    @Override
    public synchronized boolean isRunning() {
        return state != AgentState.STARTING && state != AgentState.STOPPED;
    }

    /** The state now; a pump that ended by itself shows here. */
    public synchronized AgentStatus status() {
        List<ProbeStatus> statuses = new ArrayList<>(probes == null ? List.of() : probes.status());
        statuses.add(guard.probe());
        if (pump != null && !pump.isAlive() && isRunning()) {
            return new AgentStatus(
                    AgentState.PUMP_ENDED, "the pump ended unexpectedly", "restart the agent", watched, statuses);
        }
        if (state == AgentState.WATCHING) {
            return judge(statuses);
        }
        return new AgentStatus(state, reason, fix, watched, statuses);
    }

    /** Run-queue waits per cgroup; none while the probes are not open. */
    public synchronized Histograms runQueue() {
        return probes == null ? new Histograms(List.of()) : probes.runQueue();
    }

    /** Tells the listener of every change of the table's flags until {@link #stop}; does nothing while no table is written. */
    public synchronized void listen(EdgeListener listener) {
        if (probes != null) {
            probes.startEdges(listener);
        }
    }

    /** What is pinned. */
    public synchronized Pins pins() {
        return probes == null ? Pins.none() : probes.pins();
    }

    /** What became of the capabilities. */
    public synchronized Privileges privileges() {
        return privileges;
    }

    /** The pump's figures while the probes are open, else null. */
    public synchronized @Nullable PumpCounters counters() {
        return probes == null ? null : probes.counters();
    }

    /** How full the kernel programs' maps are; nothing while the probes are not open. */
    public synchronized List<MapStats> maps() {
        return probes == null ? List.of() : probes.maps();
    }

    /** What each probe counts about itself; nothing while the probes are not open. */
    public synchronized List<ProbeCounters> probeCounters() {
        return probes == null ? List.of() : probes.probeCounters();
    }

    /** What the congestion control did, while the probes are open; else null. */
    public synchronized @Nullable ControlCounters control() {
        return probes == null ? null : probes.controlCounters();
    }

    /** The table while it is written, else null. */
    public synchronized @Nullable HealthTable table() {
        return table;
    }

    /** The watched cgroup's directory, or null. */
    public synchronized @Nullable Path cgroup() {
        return cgroup;
    }
}

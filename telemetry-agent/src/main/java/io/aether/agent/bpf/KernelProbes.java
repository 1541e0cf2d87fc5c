// SPDX-License-Identifier: Apache-2.0
package io.aether.agent.bpf;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The kernel programs, the health table and the pump between them.
 *
 * <p>Order of use: {@link #open}, {@link #attach}, {@link #startPump}, then the readers from any thread, then
 * {@link #close}. The table lives even when no program could attach: its heartbeat tells applications that the agent is
 * there. Unless {@link #pin} was called, nothing of it stays in the kernel after {@link #close} or the end of the process.
 */
public final class KernelProbes implements AutoCloseable {
    private static final int STATUS_FIELDS = 4;
    private static final int STATS_FIELDS = 5;
    private static final int EDGES_AT_ONCE = 64;

    private long handle;
    private boolean attached;
    private @Nullable Thread pump;
    private @Nullable Thread edges;

    private KernelProbes(long handle) {
        this.handle = handle;
    }

    /**
     * Loads the native library and creates the table.
     *
     * @throws ProbesUnavailableException off Linux, without the library, or when the table cannot be written
     */
    public static KernelProbes open(ProbeSettings settings) {
        NativeLibrary.load();
        long handle = Native.open(
                settings.table().toString(),
                settings.cgroup().toString(),
                settings.numbers(),
                settings.health().prefixBytes());
        Native.marks(handle, settings.marks().numbers(), settings.marks().prefixBytes());
        Native.control(
                handle,
                settings.control().cgroupNames(settings.cgroup()),
                settings.control().networkBytes(),
                settings.control().rtoMin().toNanos() / 1000);
        return new KernelProbes(handle);
    }

    /** Has {@link #attach} pin maps and links, or take over those that an earlier agent pinned; before it. */
    public synchronized void pin(PinSettings settings) {
        if (attached) {
            throw new IllegalStateException("pin() comes before attach()");
        }
        Native.pin(handle(), settings.directory().toString(), settings.keepOnStop());
    }

    /** What is pinned, once {@link #attach} is done. */
    public synchronized Pins pins() {
        return attached ? Pins.of(Native.pins(handle())) : Pins.none();
    }

    /** Loads and attaches each probe alone and adopts live connections; once, and before {@link #startPump}. */
    public synchronized List<ProbeStatus> attach() {
        if (attached || pump != null) {
            throw new IllegalStateException("attach() comes once, before startPump()");
        }
        Native.attach(handle());
        attached = true;
        return status();
    }

    /** Current states; all DISABLED or UNSUPPORTED with a reason where nothing runs. */
    public synchronized List<ProbeStatus> status() {
        if (!attached) {
            return List.of();
        }
        String[] fields = Native.status(handle());
        List<ProgramStats> programs = programs();
        List<ProbeStatus> states = new ArrayList<>();
        for (int i = 0; i < fields.length; i += STATUS_FIELDS) {
            String name = fields[i];
            Map<String, Integer> ids = new HashMap<>();
            programs.stream().filter(p -> p.probe().equals(name)).forEach(p -> ids.put(p.name(), p.id()));
            states.add(
                    new ProbeStatus(name, ProbeStatus.State.valueOf(fields[i + 1]), fields[i + 2], fields[i + 3], ids));
        }
        return List.copyOf(states);
    }

    /**
     * Starts the thread that keeps the table true until {@link #close}. It stays inside one native call, so a garbage
     * collection does not delay it.
     */
    public synchronized Thread startPump() {
        if (pump != null) {
            throw new IllegalStateException("the pump runs already");
        }
        long native_ = handle();
        Thread thread = new Thread(() -> Native.pump(native_), "aether-pump");
        thread.setDaemon(true);
        thread.start();
        pump = thread;
        return thread;
    }

    /**
     * Starts a thread that tells the listener of every change of the table's flags until {@link #close}; once. The listener
     * must not call this object, whose {@link #close} waits for it.
     */
    public synchronized void startEdges(EdgeListener listener) {
        if (edges != null) {
            throw new IllegalStateException("somebody listens already");
        }
        long native_ = handle();
        Thread thread = new Thread(() -> forward(native_, listener), "aether-edges");
        thread.setDaemon(true);
        thread.start();
        edges = thread;
    }

    private static void forward(long handle, EdgeListener listener) {
        long[] rows = new long[1 + EDGES_AT_ONCE * Edge.WORDS];
        for (int count = Native.edges(handle, rows); count >= 0; count = Native.edges(handle, rows)) {
            List<Edge> batch = new ArrayList<>(count);
            for (int i = 0; i < count; i++) {
                batch.add(Edge.of(rows, 1 + i * Edge.WORDS));
            }
            listener.changed(batch, rows[0]);
        }
    }

    /**
     * Gives up, for every thread of this process and for good, the capabilities that running does not need. After
     * {@link #startPump}; nothing can be attached by this process any more.
     */
    public synchronized Privileges dropPrivileges() {
        if (pump == null) {
            throw new IllegalStateException("dropPrivileges() comes after startPump()");
        }
        return Privileges.of(Native.dropPrivileges(handle()));
    }

    /** Run-queue waits per cgroup; empty without the sched probe. */
    public synchronized Histograms runQueue() {
        return Histograms.of(Native.runQueue(handle()));
    }

    /**
     * Has the kernel count runs and run time of all programs of the machine until {@link #close}; costs some 20 ns a run.
     *
     * @return whether it does; that takes CAP_SYS_ADMIN
     */
    public synchronized boolean countRuns() {
        return Native.countRuns(handle()) == 0;
    }

    /** How full the maps are. Reads them whole: for a scrape, not for a loop. */
    public synchronized List<MapStats> maps() {
        String[] names = Native.mapNames(handle());
        long[] stats = Native.mapStats(handle());
        List<MapStats> maps = new ArrayList<>();
        for (int i = 0; i < names.length; i++) {
            int slash = names[i].indexOf('/');
            if (stats[2 * i] >= 0) {
                maps.add(new MapStats(
                        names[i].substring(0, slash), names[i].substring(slash + 1), stats[2 * i], stats[2 * i + 1]));
            }
        }
        return maps;
    }

    /** What each loaded probe counts about itself. */
    public synchronized List<ProbeCounters> probeCounters() {
        long[] rows = Native.probeStats(handle());
        List<ProbeCounters> probes = new ArrayList<>();
        List<ProbeStatus> statuses = status();
        for (int i = 0; i < statuses.size(); i++) {
            if (!statuses.get(i).programs().isEmpty()) {
                probes.add(ProbeCounters.of(statuses.get(i).name(), rows, i * ProbeCounters.FIELDS));
            }
        }
        return probes;
    }

    /** What the congestion control did; zeros without. */
    public synchronized ControlCounters controlCounters() {
        return ControlCounters.of(Native.controlStats(handle()));
    }

    public synchronized PumpCounters counters() {
        return PumpCounters.of(Native.counters(handle()), programs());
    }

    /** Latest times from an event in the kernel to the written slot, us, newest last; at most 4096. */
    public synchronized long[] latenciesMicros() {
        return Native.latencies(handle());
    }

    /** Stops the pump, detaches everything and marks the table dead. May be called again. */
    @Override
    public synchronized void close() {
        if (handle == 0) {
            return;
        }
        Native.stop(handle);
        join(pump);
        join(edges);
        Native.close(handle);
        handle = 0;
    }

    private static void join(@Nullable Thread thread) {
        boolean interrupted = false;
        while (thread != null && thread.isAlive()) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private List<ProgramStats> programs() {
        String[] names = Native.programNames(handle());
        long[] stats = Native.programStats(handle());
        List<ProgramStats> programs = new ArrayList<>();
        for (int i = 0; i < names.length; i++) {
            long[] s = Arrays.copyOfRange(stats, i * STATS_FIELDS, (i + 1) * STATS_FIELDS);
            int slash = names[i].indexOf('/');
            programs.add(new ProgramStats(
                    names[i].substring(0, slash), names[i].substring(slash + 1), (int) s[0], s[1], s[2], s[3], s[4]));
        }
        return programs;
    }

    private long handle() {
        if (handle == 0) {
            throw new IllegalStateException("closed");
        }
        return handle;
    }
}

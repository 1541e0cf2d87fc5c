// SPDX-License-Identifier: Apache-2.0
package io.aether.agent.bpf;

/** The functions of the native library. Handles come from {@link #open} and end with {@link #close}. */
final class Native {
    private Native() {}

    /** Creates the table; throws {@link ProbesUnavailableException} when it cannot. */
    static native long open(String table, String cgroup, long[] numbers, byte[] prefixes);

    /** Before {@link #attach}: where to pin, and whether {@link #close} leaves the pins. */
    static native void pin(long handle, String directory, boolean keep);

    /** Before {@link #attach}: how answers are marked. */
    static native void marks(long handle, long[] numbers, byte[] prefixes);

    /** Before {@link #attach}: where the congestion control is used. */
    static native void control(long handle, String[] cgroups, byte[] networks, long rtoMinMicros);

    static native void attach(long handle);

    /** Directory, reason and fix, then name and state of each probe. */
    static native String[] pins(long handle);

    /** Topic, subject, state and detail of each finding. */
    static native String[] inspect(String cgroup);

    /** Removes an earlier agent's pins: their number or -1, reason and fix. */
    static native String[] clean(String directory);

    /** Name, state, reason and fix of each probe. */
    static native String[] status(long handle);

    /** "probe/program" of each loaded program. */
    static native String[] programNames(long handle);

    /** Id, verified instructions, runs, run time and events of each loaded program. */
    static native long[] programStats(long handle);

    static native long[] counters(long handle);

    /** See {@link ControlCounters}. */
    static native long[] controlStats(long handle);

    /** Has the kernel count runs of programs: 0, or the error number. */
    static native int countRuns(long handle);

    /** "probe/map" of each map that can be counted. */
    static native String[] mapNames(long handle);

    /** Entries (-1 for unknown) and capacity of each of them. */
    static native long[] mapStats(long handle);

    /** Ring losses, time of the last event, malformed options and map errors by cause, of each probe. */
    static native long[] probeStats(long handle);

    /** Times from an edge in the kernel to the written slot, us, newest last. */
    static native long[] latencies(long handle);

    static native long[] runQueue(long handle);

    /** Returns after {@link #stop}: 0, or a negative error number when it could not start. */
    static native int pump(long handle);

    /**
     * Waits for changes of the table's flags; for one thread. {@code rows[0]} becomes the number of losses so far, then
     * come the words of each edge.
     *
     * @return the number of edges, -1 after {@link #stop}
     */
    static native int edges(long handle, long[] rows);

    /** While the pump runs: why not, what every thread keeps, what the surveyor's keeps. */
    static native String[] dropPrivileges(long handle);

    /** Of the calling thread, when the others are given up. */
    static native void keepPrivileges(long capabilities);

    static native void stop(long handle);

    /** Not before the returns of {@link #pump} and {@link #edges}. */
    static native void close(long handle);

    /** The table's layout as the writer was compiled. */
    static native int[] abi();
}

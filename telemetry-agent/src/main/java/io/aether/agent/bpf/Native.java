// SPDX-License-Identifier: Apache-2.0
package io.aether.agent.bpf;

/** The functions of the native library. Handles come from {@link #open} and end with {@link #close}. */
final class Native {
    private Native() {}

    /** Creates the table; throws {@link ProbesUnavailableException} when it cannot. */
    static native long open(String table, String cgroup, long[] numbers, byte[] prefixes);

    static native void attach(long handle);

    /** Name, state, reason and fix of each probe. */
    static native String[] status(long handle);

    /** "probe/program" of each loaded program. */
    static native String[] programNames(long handle);

    /** Id, verified instructions, runs, run time and events of each loaded program. */
    static native long[] programStats(long handle);

    static native long[] counters(long handle);

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

    static native void stop(long handle);

    /** Not before the pump's return. */
    static native void close(long handle);

    /** The table's layout as the writer was compiled. */
    static native int[] abi();
}

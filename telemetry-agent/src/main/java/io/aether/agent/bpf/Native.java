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

    static native void stop(long handle);

    /** Not before the returns of {@link #pump} and {@link #edges}. */
    static native void close(long handle);

    /** The table's layout as the writer was compiled. */
    static native int[] abi();
}

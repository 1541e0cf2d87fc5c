// SPDX-License-Identifier: Apache-2.0
package io.aether.agent.bpf;

import org.jspecify.annotations.Nullable;

/** The guard's functions of the native library. Handles come from {@link #open} and end with {@link #close}. */
final class NativeGuard {
    private NativeGuard() {}

    /** As the native side documents; 0 when out of memory. */
    static native long open(long[] numbers);

    static native void addInterface(long handle, String name);

    /** Before {@link #load}; reason and fix, both empty when links will be pinned. */
    static native String[] pin(long handle, String directory, boolean keep);

    /** Once, before the lists are filled. */
    static native void load(long handle);

    /** Attaches what is not attached. */
    static native void attach(long handle);

    /** State, reason and fix of the program; then name, state, hook, reason and fix of each interface. */
    static native String[] status(long handle);

    /** How many of the networks were entered. */
    static native int enter(long handle, int list, byte[] networks, long expires);

    /** How many of the networks were in the list. */
    static native int takeOut(long handle, int list, byte[] networks);

    /** What an earlier agent's list was given at run time, and each one's expiry; null when memory is short. */
    static native byte @Nullable [] earlier(long handle, int list);

    static native long[] verdicts(long handle);

    /** The program's answer and its mean ns; or one negative error number. */
    static native long[] tryPacket(long handle, byte[] packet, int repeat);

    /** The kernel's id of the program and the instructions that the verifier walked; 0 when it is not loaded. */
    static native long[] program(long handle);

    static native void close(long handle);
}

// SPDX-License-Identifier: Apache-2.0
package io.aether.agent.bpf;

/**
 * What became of the process's capabilities once everything was attached.
 *
 * @param dropped whether they were given up
 * @param kept those that every thread kept; empty for none
 * @param surveyor those that the thread kept which visits the listeners of other network namespaces; empty for none
 * @param reason why they were not given up; empty when they were or were not to be
 */
public record Privileges(boolean dropped, String kept, String surveyor, String reason) {
    /** Nothing was given up, nor was to be. */
    public static Privileges untouched() {
        return new Privileges(false, "", "", "");
    }

    static Privileges of(String[] fields) {
        return new Privileges(fields[0].isEmpty(), fields[1], fields[2], fields[0]);
    }

    /**
     * Has the calling thread keep some of its capabilities when {@link KernelProbes#dropPrivileges} comes: for work that
     * attaches later. Threads that it starts before that keep none.
     *
     * @param capabilities bits as numbered in {@code linux/capability.h}: {@code 1L << 12} is CAP_NET_ADMIN
     * @throws ProbesUnavailableException off Linux or without the native library
     */
    public static void keepOnThisThread(long capabilities) {
        NativeLibrary.load();
        Native.keepPrivileges(capabilities);
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.aether.agent.bpf;

/** The guard's lists, in the order of {@code enum guard_list} in {@code guard.h}. */
public enum GuardList {
    /** Sources that always pass. */
    ALLOW,
    /** Sources that are dropped unless something else lets them pass. */
    BLOCK
}

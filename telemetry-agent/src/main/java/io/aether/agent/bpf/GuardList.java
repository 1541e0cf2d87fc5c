// SPDX-License-Identifier: Apache-2.0
package io.aether.agent.bpf;

/** The guard's lists. */
public enum GuardList {
    /** Sources that always pass. */
    ALLOW(0),
    /** Sources that are dropped unless something else lets them pass. */
    BLOCK(1);

    private final int number;

    GuardList(int number) {
        this.number = number;
    }

    /** In {@code enum guard_list} of {@code guard.h}. */
    int number() {
        return number;
    }
}

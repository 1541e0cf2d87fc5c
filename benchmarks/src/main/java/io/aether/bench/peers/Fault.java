// SPDX-License-Identifier: Apache-2.0
package io.aether.bench.peers;

import java.util.Locale;

/** What goes wrong with one server while a block is measured: the faults of the demo, one at a time. */
enum Fault {
    NONE(false, true),
    /** The process is stopped for 300 ms every 2 s. */
    PAUSE(false, true),
    /** A busy loop shares the server's CPU quota of 25 ms in 100 ms. */
    NOISY(true, true),
    /** The server's link passes 256 kbit/s through 3 KB of buffer, and loses the rest. */
    LINK(true, false),
    /** The server answers 500 at once. */
    ERRORS(false, false),
    /** The process is killed and started again. */
    RESTART(false, false);

    private final boolean root;
    private final boolean quick;

    Fault(boolean root, boolean quick) {
        this.root = root;
        this.quick = quick;
    }

    /** As in the rows. */
    String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Whether it takes cgroups or network namespaces. */
    boolean needsRoot() {
        return root;
    }

    /** Whether a quick run has it. */
    boolean quick() {
        return quick;
    }
}

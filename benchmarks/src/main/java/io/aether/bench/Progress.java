// SPDX-License-Identifier: Apache-2.0
package io.aether.bench;

import java.io.PrintStream;

/** One line that changes in place on a terminal; elsewhere a line only now and then. Thread-safe. */
public final class Progress {

    private static final long QUIET_NANOS = 30_000_000_000L;

    private final PrintStream out;
    private final boolean terminal;
    private long lastNanos = System.nanoTime() - QUIET_NANOS;
    private boolean open;

    public Progress(PrintStream out, boolean terminal) {
        this.out = out;
        this.terminal = terminal;
    }

    /** Replaces the changing line. */
    public synchronized void update(String text) {
        if (terminal) {
            out.print("\r\033[K" + text);
            out.flush();
            open = true;
        } else if (System.nanoTime() - lastNanos >= QUIET_NANOS) {
            lastNanos = System.nanoTime();
            out.println(text);
        }
    }

    /** Prints a line that stays. */
    public synchronized void line(String text) {
        if (open) {
            out.print("\r\033[K");
            open = false;
        }
        out.println(text);
    }
}

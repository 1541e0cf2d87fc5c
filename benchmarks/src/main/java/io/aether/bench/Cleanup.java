// SPDX-License-Identifier: Apache-2.0
package io.aether.bench;

import java.io.PrintStream;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * What has to be undone, last thing first. Runs once: at the end, on failure or when the process is told to end, whichever
 * comes first; what is added after that is undone at once. Thread-safe.
 */
public final class Cleanup implements AutoCloseable {

    /** One thing to undo. */
    public interface Step {
        void run() throws Exception;
    }

    private final Deque<Step> steps = new ArrayDeque<>();
    private final PrintStream err;
    private final Thread hook = new Thread(this::close, "cleanup");
    private boolean closed;

    public Cleanup(PrintStream err) {
        this.err = err;
        Runtime.getRuntime().addShutdownHook(hook);
    }

    public void add(Step step) {
        synchronized (this) {
            if (!closed) {
                steps.push(step);
                return;
            }
        }
        undo(step);
    }

    @Override
    public synchronized void close() {
        closed = true;
        while (!steps.isEmpty()) {
            undo(steps.pop());
        }
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException ends) {
            // The process ends already; maybe this is the hook.
        }
    }

    private void undo(Step step) {
        try {
            step.run();
        } catch (Exception e) {
            err.println("cleaning up: " + e.getMessage());
        }
    }
}

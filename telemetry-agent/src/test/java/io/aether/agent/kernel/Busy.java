// SPDX-License-Identifier: Apache-2.0
package io.aether.agent.kernel;

import java.io.IOException;
import java.util.concurrent.TimeUnit;

/** A loop that takes all the CPU it gets on one processor, for 30 s at most; closing it ends it. */
final class Busy implements AutoCloseable {
    private final Process process;

    /** @param cpu the only processor it may use */
    Busy(int cpu) {
        try {
            process = new ProcessBuilder(
                            "taskset", "-c", Integer.toString(cpu), "sh", "-c", "ulimit -t 30; while :; do :; done")
                    .start();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    long pid() {
        return process.pid();
    }

    @Override
    public void close() {
        process.destroyForcibly();
        try {
            process.waitFor(5, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.aether.bench.overhead;

import io.aether.bench.Cleanup;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Has the kernel count runs and run times of BPF programs, which is off unless an operator asks for it and costs each run
 * two looks at the clock: on while they are what is measured, off while the load's percentiles are. Not thread-safe.
 */
final class Counting {
    private static final Path SWITCH = Path.of("/proc/sys/kernel/bpf_stats_enabled");

    private final String before;

    private Counting(String before) {
        this.before = before;
    }

    /** Off from now on; as it was at {@code cleanup}. */
    static Counting off(Cleanup cleanup) throws IOException {
        Counting counting = new Counting(Files.readString(SWITCH));
        cleanup.add(() -> Files.writeString(SWITCH, counting.before));
        counting.set(false);
        return counting;
    }

    void set(boolean on) throws IOException {
        Files.writeString(SWITCH, on ? "1" : "0");
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.aether.bench.overload;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The machine's processor time so far, in ticks.
 *
 * @param all of all processors
 * @param idle in which they had nothing to do
 */
record ProcessorTime(long all, long idle) {
    private static final int IDLE = 3; // fields of proc(5)'s first line
    private static final int WAITING = 4;
    private static final int FIELDS = 8; // what comes after is counted in these too

    static ProcessorTime now() throws IOException {
        String[] words = Files.readAllLines(Path.of("/proc/stat")).get(0).split(" +", -1);
        long all = 0;
        long idle = 0;
        for (int i = 0; i < FIELDS; i++) {
            long ticks = Long.parseLong(words[i + 1]);
            all += ticks;
            idle += i == IDLE || i == WAITING ? ticks : 0;
        }
        return new ProcessorTime(all, idle);
    }

    /** Share of the time since then that was used, 0 to 1. */
    double busySince(ProcessorTime before) {
        return 1 - (double) (idle - before.idle) / Math.max(1, all - before.all);
    }
}

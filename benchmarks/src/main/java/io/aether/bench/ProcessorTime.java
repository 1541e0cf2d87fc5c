// SPDX-License-Identifier: Apache-2.0
package io.aether.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The machine's processor time so far, in ticks.
 *
 * @param all of all processors
 * @param idle in which they had nothing to do
 * @param stolen in which they had, and a hypervisor gave them to other machines
 */
public record ProcessorTime(long all, long idle, long stolen) {
    private static final int IDLE = 3; // fields of proc(5)'s first line
    private static final int WAITING = 4;
    private static final int STOLEN = 7;
    private static final int FIELDS = 8; // what comes after is counted in these too

    /** Reads the counts. */
    public static ProcessorTime now() throws IOException {
        String[] words = Files.readAllLines(Path.of("/proc/stat")).get(0).split(" +", -1);
        long[] ticks = new long[FIELDS];
        long all = 0;
        for (int i = 0; i < FIELDS; i++) {
            ticks[i] = Long.parseLong(words[i + 1]);
            all += ticks[i];
        }
        return new ProcessorTime(all, ticks[IDLE] + ticks[WAITING], ticks[STOLEN]);
    }

    /** Share of the time since then that was used, 0 to 1. */
    public double busySince(ProcessorTime before) {
        return 1 - (double) (idle - before.idle) / Math.max(1, all - before.all);
    }

    /** Share of the time since then that was given to other machines, 0 to 1. */
    public double stolenSince(ProcessorTime before) {
        return (double) (stolen - before.stolen) / Math.max(1, all - before.all);
    }
}

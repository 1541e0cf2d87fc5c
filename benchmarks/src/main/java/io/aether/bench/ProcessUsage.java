// SPDX-License-Identifier: Apache-2.0
package io.aether.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** What another process used up so far, as proc(5) has it. */
public final class ProcessUsage {
    private static final long TICKS_PER_SECOND = 100; // USER_HZ, fixed for all of Linux's ABI
    private static final int USER_TIME = 11; // fields of proc(5)'s stat after the command's name
    private static final int SYSTEM_TIME = 12;

    private ProcessUsage() {}

    /** CPU time since its start, s. */
    public static double cpuSeconds(long pid) throws IOException {
        String stat = Files.readString(file(pid, "stat"));
        String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
        return (double) (Long.parseLong(fields[USER_TIME]) + Long.parseLong(fields[SYSTEM_TIME])) / TICKS_PER_SECOND;
    }

    /** Resident memory, MB of 10^6 bytes. */
    public static double residentMegabytes(long pid) throws IOException {
        for (String line : Files.readAllLines(file(pid, "status"))) {
            if (line.startsWith("VmRSS:")) {
                return Long.parseLong(line.replaceAll("\\D", "")) * 1024 / 1e6;
            }
        }
        throw new IOException("no VmRSS");
    }

    private static Path file(long pid, String name) {
        return Path.of("/proc", Long.toString(pid), name);
    }
}

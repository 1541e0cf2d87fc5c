// SPDX-License-Identifier: Apache-2.0
package io.aether.bench.demo;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;

/** Memory of processes. */
final class Memory {

    private Memory() {}

    /** Sum of the proportional set sizes in MiB: pages that processes share count once. */
    static long mebibytes(Collection<Process> processes) {
        return processes.stream().mapToLong(process -> kibibytes(process.pid())).sum() / 1024;
    }

    private static long kibibytes(long pid) {
        try {
            return Files.readAllLines(Path.of("/proc/" + pid + "/smaps_rollup")).stream()
                    .filter(line -> line.startsWith("Pss:"))
                    .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")))
                    .sum();
        } catch (IOException e) {
            return 0;
        }
    }
}

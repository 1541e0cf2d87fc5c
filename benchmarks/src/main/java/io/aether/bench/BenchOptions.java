// SPDX-License-Identifier: Apache-2.0
package io.aether.bench;

import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The command line that all benchmarks share.
 *
 * @param quick whether a short run will do
 * @param json where the figures go as JSON, or null
 */
public record BenchOptions(boolean quick, @Nullable Path json) {
    /** Exit code for a wrong command line. */
    public static final int USAGE = 2;

    /** Exit code for a machine that lacks something. */
    public static final int PREREQUISITE = 3;

    /** Reads the command line, or says what it should be and ends the process. */
    public static BenchOptions parse(String bench, String... args) {
        return parseBeside("", bench, args);
    }

    /**
     * The same for a benchmark that has read options of its own already.
     *
     * @param own usage of these, each in brackets
     */
    public static BenchOptions parseBeside(String own, String bench, String... args) {
        boolean quick = false;
        Path json = null;
        for (int i = 0; i < args.length; i++) {
            if (args[i].equals("--quick")) {
                quick = true;
            } else if (args[i].equals("--json") && i + 1 < args.length) {
                json = Path.of(args[++i]);
            } else {
                System.err.println(bench + ": unexpected or incomplete '" + args[i] + "'; usage: ./aether bench "
                        + bench + " [--quick] [--json FILE]" + own);
                System.exit(USAGE);
            }
        }
        return new BenchOptions(quick, json);
    }

    /** Prints the figures, and writes them where that was asked for. */
    public void show(Report report) throws IOException {
        report.print(System.out);
        if (json != null) {
            report.write(json);
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.aether.bench.overload;

import io.aether.bench.BenchOptions;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The command line.
 *
 * @param ecn whether clients ask for ECN; without, refusals are all that is heard
 * @param only plays only bouts whose rows contain this; empty for all
 * @param draw which arrivals and service times come first: another number, others
 * @param plot where the picture of a run goes, or null
 * @param bench what all benchmarks have
 */
record Options(boolean ecn, String only, int draw, @Nullable Path plot, BenchOptions bench) {

    private static final String OWN = " [--no-ecn] [--only TEXT] [--draw N] [--plot FILE]";

    /** Reads it, or says what it should be and ends the process. */
    static Options parse(String... args) {
        boolean ecn = true;
        String only = "";
        int draw = 0;
        Path plot = null;
        List<String> others = new ArrayList<>();
        for (int i = 0; i < args.length; i++) {
            if (args[i].equals("--no-ecn")) {
                ecn = false;
            } else if (args[i].equals("--only") && i + 1 < args.length) {
                only = args[++i];
            } else if (args[i].equals("--draw") && i + 1 < args.length && args[i + 1].matches("\\d{1,4}")) {
                draw = Integer.parseInt(args[++i]);
            } else if (args[i].equals("--plot") && i + 1 < args.length) {
                plot = Path.of(args[++i]);
            } else {
                others.add(args[i]);
            }
        }
        return new Options(
                ecn, only, draw, plot, BenchOptions.parseBeside(OWN, "overload", others.toArray(String[]::new)));
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.aether.bench.guard;

import io.aether.agent.bpf.ProbesUnavailableException;
import io.aether.bench.BenchOptions;
import io.aether.bench.Report;
import java.io.IOException;
import java.util.Arrays;

/** The measuring process, within the attacked namespace. */
final class Inside {
    private Inside() {}

    /** Arguments: the arena's name, then the benchmark's options. */
    public static void main(String[] args) throws Exception {
        BenchOptions options = BenchOptions.parse("guard", Arrays.copyOfRange(args, 1, args.length));
        Arena arena = new Arena(args[0]);
        Report report = new Report("guard");
        try {
            new Verdicts(options.quick() ? 5 : 15).measure(report);
            new Floods(arena, options.quick() ? 2 : 5, options.quick() ? 1 : 2).measure(report);
            new Connections(arena, options.quick() ? 100 : 500).measure(report);
        } catch (ProbesUnavailableException e) {
            System.err.println("guard: the program cannot be used: " + e.reason() + ". Fix: " + e.fix());
            System.exit(BenchOptions.PREREQUISITE);
        } catch (IOException e) {
            System.err.println("guard: " + e.getMessage());
            System.exit(1);
        }
        options.show(report);
        System.exit(0);
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.aether.bench.peers;

import io.aether.bench.BenchOptions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;

/**
 * The command line.
 *
 * @param faults that are asked for
 * @param policies that are asked for
 * @param bench what all benchmarks have
 */
record Options(List<Fault> faults, List<Policy> policies, BenchOptions bench) {
    private static final String OWN = " [--faults LIST] [--policies LIST]";

    Options {
        faults = List.copyOf(faults);
        policies = List.copyOf(policies);
    }

    /** Reads it, or says what it should be and ends the process. */
    static Options parse(String... args) {
        List<Fault> faults = List.of();
        List<Policy> policies = List.of(Policy.values());
        List<String> others = new ArrayList<>();
        try {
            for (int i = 0; i < args.length; i++) {
                if (args[i].equals("--faults") && i + 1 < args.length) {
                    faults = list(args[i], args[++i], Fault.values(), Fault::label);
                } else if (args[i].equals("--policies") && i + 1 < args.length) {
                    policies = list(args[i], args[++i], Policy.values(), Policy::label);
                } else {
                    others.add(args[i]);
                }
            }
        } catch (IllegalArgumentException e) {
            System.err.println("peers: " + e.getMessage());
            System.exit(BenchOptions.USAGE);
        }
        BenchOptions bench = BenchOptions.parseBeside(OWN, "peers", others.toArray(String[]::new));
        if (faults.isEmpty()) {
            faults = Arrays.stream(Fault.values())
                    .filter(fault -> !bench.quick() || fault.quick())
                    .toList();
        }
        return new Options(faults, policies, bench);
    }

    /** Those of a list like {@code pause,errors}, in the order of all. */
    static <T> List<T> list(String option, String text, T[] all, Function<T, String> label) {
        List<String> wanted = List.of(text.split(",", -1));
        List<String> known = Arrays.stream(all).map(label).toList();
        for (String one : wanted) {
            if (!known.contains(one)) {
                throw new IllegalArgumentException(option + ": '" + one + "' is not one of " + String.join(",", known));
            }
        }
        return Arrays.stream(all)
                .filter(one -> wanted.contains(label.apply(one)))
                .toList();
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.aether.bench.dag;

import io.aether.bench.demo.UsageException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The command line of the overload demo.
 *
 * @param seconds of load, without and with limits together
 * @param json where the figures go as JSON, or null
 * @param help whether only the usage is wanted
 */
record OverloadOptions(int seconds, @Nullable Path json, boolean help) {

    static final String USAGE = """
            usage: aether demo --overload [--seconds N] [--json FILE]
              --seconds N    load in seconds, limiter off and on together (default 80; 40 to 3600)
              --json FILE    write the figures to FILE
            """;

    private static final int USUAL = 80;
    private static final int LEAST = 40;
    private static final int MOST = 3600;
    /** A pair of blocks that is longer than this gives way to one more. */
    private static final int LONGEST_PAIR = 60;

    private static final double CALM_SHARE = 0.4;

    static OverloadOptions parse(String... args) throws UsageException {
        int seconds = USUAL;
        Path json = null;
        boolean help = false;
        for (int i = 0; i < args.length; i++) {
            switch (args[i]) {
                case "--overload" -> {} // What brought us here.
                case "--seconds" -> seconds = number(value(args, ++i));
                case "--json" -> json = Path.of(value(args, ++i));
                case "--help", "-h" -> help = true;
                default -> throw new UsageException("unknown option '" + args[i] + "' with --overload");
            }
        }
        return new OverloadOptions(seconds, json, help);
    }

    private static String value(String[] args, int index) throws UsageException {
        if (index >= args.length || args[index].startsWith("--")) {
            throw new UsageException(args[index - 1] + " needs a value");
        }
        return args[index];
    }

    private static int number(String value) throws UsageException {
        try {
            int number = Integer.parseInt(value);
            if (number >= LEAST && number <= MOST) {
                return number;
            }
        } catch (NumberFormatException e) {
            // Reported below, like a number out of range.
        }
        throw new UsageException("--seconds: '%s' is not a number from %d to %d".formatted(value, LEAST, MOST));
    }

    /** Pairs of blocks, each without and with limits. */
    int pairs() {
        return (seconds + LONGEST_PAIR - 1) / LONGEST_PAIR;
    }

    /** Phases of a block. */
    Phases phases() {
        double block = seconds / (2.0 * pairs());
        return new Phases(block * CALM_SHARE, block * (1 - CALM_SHARE));
    }
}

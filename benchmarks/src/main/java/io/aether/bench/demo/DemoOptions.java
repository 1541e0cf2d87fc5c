// SPDX-License-Identifier: Apache-2.0
package io.aether.bench.demo;

import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The demo's command line.
 *
 * @param rate checkouts a second, open loop
 * @param seconds length of the measured load, all arms together
 * @param faults what is injected
 * @param json where the figures go as JSON, or null
 * @param keep whether everything stays up after the report, until Ctrl-C
 * @param kernel whether the agent and the arm on kernel signals run
 * @param hedge whether an arm with hedging runs beside the one on kernel signals
 * @param help whether only the usage is wanted
 */
record DemoOptions(
        double rate,
        int seconds,
        Set<Fault> faults,
        @Nullable Path json,
        boolean keep,
        boolean kernel,
        boolean hedge,
        boolean help) {

    static final String USAGE = """
            usage: aether demo [--rate N] [--seconds N] [--faults LIST|none] [--json FILE] [--keep] [--no-kernel] [--hedge]
              --rate N       checkouts a second, open loop (default 10; 1 to 100)
              --seconds N    measured load in seconds, all arms together (default 300; 30 to 36000)
              --faults LIST  some of %s, or none (default: all)
              --json FILE    write the figures to FILE
              --keep         leave everything running after the report, under load, with a live page that
                             switches arms and faults, until Ctrl-C
              --no-kernel    neither the agent nor the arm on kernel signals
              --hedge        one more arm: kernel signals, and second attempts for calls that wait too long
            """.formatted(Fault.labels());

    static DemoOptions parse(String... args) throws UsageException {
        Parser parser = new Parser(args);
        parser.run();
        return new DemoOptions(
                parser.rate,
                parser.seconds,
                parser.faults,
                parser.json,
                parser.keep,
                parser.kernel,
                parser.hedge,
                parser.help);
    }

    DemoOptions withFaults(Set<Fault> some) {
        return new DemoOptions(rate, seconds, some, json, keep, kernel, hedge, help);
    }

    /** One pass over the arguments; accepts {@code --name value} and {@code --name=value}. */
    private static final class Parser {

        private final Deque<String> rest = new ArrayDeque<>();
        private double rate = 10;
        private int seconds = 300;
        private Set<Fault> faults = EnumSet.allOf(Fault.class);
        private @Nullable Path json;
        private boolean keep;
        private boolean kernel = true;
        private boolean hedge;
        private boolean help;

        Parser(String... args) {
            for (String arg : args) {
                int equals = arg.startsWith("--") ? arg.indexOf('=') : -1;
                rest.addAll(equals < 0 ? List.of(arg) : List.of(arg.substring(0, equals), arg.substring(equals + 1)));
            }
        }

        void run() throws UsageException {
            while (!rest.isEmpty()) {
                String name = rest.remove();
                switch (name) {
                    case "--rate" -> rate = number(name, 1, 100);
                    case "--seconds" -> seconds = (int) number(name, 30, 36_000);
                    case "--faults" -> faults = faults(value(name));
                    case "--json" -> json = Path.of(value(name));
                    case "--keep" -> keep = true;
                    case "--no-kernel" -> kernel = false;
                    case "--hedge" -> hedge = true;
                    case "--help", "-h" -> help = true;
                    default -> throw new UsageException("unknown option '" + name + "'");
                }
            }
            if (hedge && !kernel) {
                throw new UsageException("--hedge shows what the kernel's signals do for it: leave out --no-kernel");
            }
        }

        private String value(String name) throws UsageException {
            String value = rest.poll();
            if (value == null || value.isEmpty() || value.startsWith("--")) {
                throw new UsageException(name + " needs a value");
            }
            return value;
        }

        private double number(String name, double least, double most) throws UsageException {
            String value = value(name);
            try {
                double number = Double.parseDouble(value);
                if (number >= least && number <= most) {
                    return number;
                }
            } catch (NumberFormatException e) {
                // Reported below, like a number out of range.
            }
            throw new UsageException("%s: '%s' is not a number from %.0f to %.0f".formatted(name, value, least, most));
        }

        private static Set<Fault> faults(String list) throws UsageException {
            Set<Fault> faults = EnumSet.noneOf(Fault.class);
            if (!"none".equals(list)) {
                for (String label : Arrays.asList(list.split(",", -1))) {
                    faults.add(Fault.of(label));
                }
            }
            return faults;
        }
    }
}

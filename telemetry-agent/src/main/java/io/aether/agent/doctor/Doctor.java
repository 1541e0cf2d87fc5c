// SPDX-License-Identifier: Apache-2.0
package io.aether.agent.doctor;

import io.aether.agent.bpf.Pins;
import io.aether.agent.bpf.ProbesUnavailableException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.List;

/**
 * Says whether the agent can work on this machine, without a running agent and without changing anything; with {@code
 * --clean} removes what a killed one left. Exit codes: 0 nothing is in the way, 2 wrong usage, 3 something is, named with
 * its fix.
 */
public final class Doctor {
    private static final int DONE = 0;
    private static final int WRONG_USAGE = 2;
    private static final int MISSING = 3;

    private Doctor() {}

    /** Runs once and returns the exit code. */
    public static int run(String[] args, PrintStream out, PrintStream err) {
        DoctorOptions options;
        try {
            options = DoctorOptions.parse(args);
        } catch (IllegalArgumentException e) {
            err.println("doctor: " + e.getMessage());
            err.print(DoctorOptions.USAGE);
            return WRONG_USAGE;
        }
        return options.clean() ? clean(options, out, err) : examine(options, out);
    }

    private static int clean(DoctorOptions options, PrintStream out, PrintStream err) {
        try {
            int count = Pins.clean(options.pins());
            out.println(
                    count == 0
                            ? "nothing is pinned in " + options.pins()
                            : "removed " + count + " maps and links of an agent that is gone from " + options.pins());
            return DONE;
        } catch (ProbesUnavailableException e) {
            err.println("doctor: nothing removed: " + e.reason() + ". Fix: " + e.fix() + ".");
            return MISSING;
        }
    }

    private static int examine(DoctorOptions options, PrintStream out) {
        List<Check> checks = new Examination(new Host(Path.of("/")), options).checks();
        boolean sound = checks.stream().noneMatch(check -> check.level() == Check.Level.PROBLEM);
        int exit = sound ? DONE : MISSING;
        out.print(options.json() ? Report.json(checks, exit) : Report.table(checks));
        return exit;
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.aether.bench;

import java.io.IOException;
import java.io.PrintStream;

/** Exit codes of what runs the checkout graph, with one line that says why for each that is not 0. */
public final class ExitCode {
    public static final int DONE = 0;
    public static final int FAILED = 1;
    public static final int WRONG_USAGE = 2;
    public static final int PREREQUISITE = BenchOptions.PREREQUISITE;

    /** What is run. */
    @FunctionalInterface
    public interface Body {
        void run() throws IOException, PrerequisiteException, InterruptedException;
    }

    private ExitCode() {}

    /**
     * Runs it to its end.
     *
     * @param what its name, for what is said when it fails
     */
    public static int of(String what, PrintStream err, Body body) {
        try {
            body.run();
            return DONE;
        } catch (PrerequisiteException e) {
            err.println(e.getMessage());
            return PREREQUISITE;
        } catch (IOException | IllegalStateException e) {
            err.println(what + " failed: " + e.getMessage());
            return FAILED;
        } catch (InterruptedException e) {
            return FAILED;
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.aether.bench.overhead;

import java.io.IOException;
import java.util.List;

/**
 * Runs turns again that other machines on this host disturbed: a percentile of such a turn tells of them and not of the agent.
 * Not thread-safe.
 */
final class Turns {
    /** On a host that is never calm the whole takes up to three times as long. */
    private static final int REPEATS = 2;

    private int repeated;

    /** Some turns in a row. */
    interface Task {
        List<Load.Result> run() throws IOException, InterruptedException;
    }

    /** Runs them until they are calm, or the calmest so far has to do. */
    List<Load.Result> run(Task task) throws IOException, InterruptedException {
        List<Load.Result> calmest = task.run();
        for (int i = 0; i < REPEATS && !calm(calmest); i++) {
            repeated++;
            List<Load.Result> next = task.run();
            calmest = stolen(next) < stolen(calmest) ? next : calmest;
        }
        return calmest;
    }

    private static boolean calm(List<Load.Result> turns) {
        return turns.stream().allMatch(Load.Result::calm);
    }

    private static double stolen(List<Load.Result> turns) {
        return turns.stream().mapToDouble(Load.Result::stolen).max().orElse(0);
    }

    /** How often turns were run again. */
    int repeated() {
        return repeated;
    }
}

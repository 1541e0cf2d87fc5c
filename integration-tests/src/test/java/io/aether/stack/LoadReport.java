// SPDX-License-Identifier: Apache-2.0
package io.aether.stack;

import java.time.Duration;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/**
 * A line that the stack's load prints every ten seconds.
 *
 * @param requests that ended, or were given up, since the line before
 * @param failed those of them that were not answered with 200
 */
record LoadReport(int requests, int failed) {

    /** Lines until the load has reached its rate. */
    static final int OF_RAMP = 6;

    private static final Pattern LINE = Pattern.compile("(\\d+) requests, (\\d+) failed, .*");

    /** Asking costs CPU, which the load is to have. */
    private static final Duration PERIOD = Duration.ofSeconds(5);

    /** The first comes ten seconds after the warm-up, which may take as long as this. */
    private static final Duration WARM_UP = Duration.ofMinutes(2);

    /** All so far, as soon as there are so many; fewer when that takes half as long again as it should. */
    static List<LoadReport> await(Stack stack, int lines) throws InterruptedException {
        long end = System.nanoTime() + WARM_UP.plusSeconds(15L * lines).toNanos();
        List<LoadReport> reports = of(stack);
        while (reports.size() < lines && System.nanoTime() < end) {
            Thread.sleep(PERIOD.toMillis());
            reports = of(stack);
        }
        return reports;
    }

    private static List<LoadReport> of(Stack stack) {
        return LINE.matcher(stack.logs("load")).results().map(LoadReport::parse).toList();
    }

    private static LoadReport parse(MatchResult line) {
        return new LoadReport(Integer.parseInt(line.group(1)), Integer.parseInt(line.group(2)));
    }
}

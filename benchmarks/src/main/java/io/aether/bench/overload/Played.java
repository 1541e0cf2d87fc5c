// SPDX-License-Identifier: Apache-2.0
package io.aether.bench.overload;

import java.util.Locale;

/**
 * A bout that was played.
 *
 * @param lateMillis how late the generator was, 99th percentile
 * @param busy share of the machine's processor time that was used meanwhile, by whomever
 */
record Played(Bout bout, Outcome outcome, Timeline timeline, double lateMillis, double busy) {
    /** In a line. */
    String brief() {
        return String.format(
                Locale.ROOT,
                "%s: goodput %.3f, P99 %.0f ms, refused %.1f %%, Jain %.3f, back %.1f s, full %.1f s",
                bout.row(),
                outcome.goodput(),
                outcome.p99Millis(),
                100 * outcome.refused(),
                outcome.jain(),
                outcome.backInTimeSeconds(),
                outcome.fullDemandSeconds());
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.aether.bench.demo;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What was hedged, as the processes count it; they do only in the arm that hedges.
 *
 * @param calls calls that might have been sent twice: those of services with more than one instance
 * @param sent second attempts
 */
record Hedged(long calls, long sent) {

    static final Hedged NONE = new Hedged(0, 0);

    private static final Pattern TOTALS =
            Pattern.compile("\"hedges\":\\{\"mode\":\"[a-z]+\",\"calls\":(\\d+),\"sent\":(\\d+)");

    /** Reads a process's report. */
    static Hedged of(String report) {
        Matcher totals = TOTALS.matcher(report);
        return totals.find() ? new Hedged(Long.parseLong(totals.group(1)), Long.parseLong(totals.group(2))) : NONE;
    }

    Hedged plus(Hedged other) {
        return new Hedged(calls + other.calls, sent + other.sent);
    }

    String line() {
        double percent = calls == 0 ? 0 : 100.0 * sent / calls;
        return String.format(
                Locale.ROOT,
                "%s: %d second attempts beside %d calls (%.2f %%)",
                Arm.KERNEL_HEDGE.label(),
                sent,
                calls,
                percent);
    }
}

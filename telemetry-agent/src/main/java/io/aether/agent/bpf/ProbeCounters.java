// SPDX-License-Identifier: Apache-2.0
package io.aether.agent.bpf;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What one probe's programs count about themselves, totals since they were loaded.
 *
 * @param probe its name
 * @param ringLosses edges that found no room in its ring
 * @param lastEventNanos time of its latest event, CLOCK_MONOTONIC ns; 0 if there was none
 * @param malformedOptions header options that made no sense
 * @param mapErrors entries that found no room in a map, by {@link #CAUSES cause}
 */
public record ProbeCounters(
        String probe, long ringLosses, long lastEventNanos, long malformedOptions, Map<String, Long> mapErrors) {
    /** Error names, in the order of the native side; {@code unknown} where the kernel tells none. */
    public static final List<String> CAUSES = List.of("unknown", "E2BIG", "ENOMEM", "EBUSY", "other");

    /** Columns of a row of the native side. */
    static final int FIELDS = 3 + CAUSES.size();

    public ProbeCounters {
        mapErrors = Map.copyOf(mapErrors);
    }

    static ProbeCounters of(String probe, long[] rows, int row) {
        Map<String, Long> errors = new LinkedHashMap<>();
        for (int cause = 0; cause < CAUSES.size(); cause++) {
            errors.put(CAUSES.get(cause), rows[row + 3 + cause]);
        }
        return new ProbeCounters(probe, rows[row], rows[row + 1], rows[row + 2], errors);
    }
}

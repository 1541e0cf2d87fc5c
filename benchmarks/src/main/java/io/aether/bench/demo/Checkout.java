// SPDX-License-Identifier: Apache-2.0
package io.aether.bench.demo;

import org.jspecify.annotations.Nullable;

/**
 * One checkout as the load generator saw it. Times are of the system's monotonic clock, in nanoseconds, the same in all
 * processes.
 *
 * @param index place in the load, from 0
 * @param sent when it was really sent
 * @param done when its answer was complete
 * @param ok whether it was answered with 200
 */
record Checkout(long index, long sent, long done, boolean ok) {

    private static final String PREFIX = "checkout ";

    /** The line that the load process prints. */
    String line() {
        return PREFIX + index + " " + sent + " " + done + " " + ok;
    }

    /** Reads {@link #line()}; null for any other line. */
    static @Nullable Checkout parse(String line) {
        String[] fields = line.split(" ", -1);
        if (!line.startsWith(PREFIX) || fields.length != 5) {
            return null;
        }
        try {
            return new Checkout(
                    Long.parseLong(fields[1]),
                    Long.parseLong(fields[2]),
                    Long.parseLong(fields[3]),
                    Boolean.parseBoolean(fields[4]));
        } catch (NumberFormatException e) {
            return null;
        }
    }
}

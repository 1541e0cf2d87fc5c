// SPDX-License-Identifier: Apache-2.0
package io.aether.core;

/**
 * Monotonic time in nanoseconds. Everything in Aether that needs the time gets one of these, so that tests and the
 * simulator decide what time it is.
 *
 * <p>On Linux the system's clock is CLOCK_MONOTONIC, the clock in which the health table's times are written.
 */
@FunctionalInterface
public interface NanoClock {
    /** The present, in nanoseconds since an arbitrary origin; never goes back. Thread-safe. */
    long nanos();

    /** The machine's own monotonic clock. */
    static NanoClock system() {
        return System::nanoTime;
    }
}

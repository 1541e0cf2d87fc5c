// SPDX-License-Identifier: Apache-2.0
package io.aether.bench.overload;

/** The service that is overloaded, in virtual time and over TCP alike. Times in ns. */
public final class Target {
    public static final int WORKERS = 8;
    public static final double MEAN_NANOS = 20e6;
    /** Of the service times, which are lognormal. */
    public static final double VARIATION = 1;
    /** Requests per second. */
    public static final double CAPACITY = WORKERS / (MEAN_NANOS / 1e9);
    /** Ten times the mean. */
    public static final long OBJECTIVE_NANOS = 200_000_000L;
    /** What a costly refusal takes of a worker. */
    public static final long REFUSAL_NANOS = 1_000_000L;

    private Target() {}
}

// SPDX-License-Identifier: Apache-2.0
package io.aether.bench.overload;

import java.util.Locale;

/** What is done about overload. All but NONE have a server that refuses. */
public enum Policy {
    /** Marks, the limiter that follows them, and refusals beyond the hard limit. */
    AETHER,
    /** Nothing. */
    NONE,
    /** Refusals beyond the hard limit alone. */
    SHED,
    /** Netflix's concurrency-limits in each client, Gradient2 as it comes. */
    GRADIENT2,
    /** ... and Vegas as it comes. */
    VEGAS,
    /** Sentinel's circuit breaker in each client. */
    SENTINEL,
    /** Sentinel's adaptive system rule in the server, instead of our refusals. */
    SENTINEL_BBR,
    /** Client-side adaptive throttling, as Google's SRE book has it. */
    THROTTLE,
    /** A limiter in each client that was told the capacity and the number of clients: the ideal that nobody has. */
    STATIC;

    /** As in rows. */
    public String label() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** Whether a refusal can cost anything here. */
    public boolean refuses() {
        return this != NONE && this != STATIC;
    }
}

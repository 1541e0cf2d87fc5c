// SPDX-License-Identifier: Apache-2.0
package io.aether.core.limit;

/**
 * How much a request matters, most important first. A tier passes a limiter only above its reserve, the share of the
 * bucket that is kept for the tiers before it: no tier needs a rate of its own, and none leaves capacity unused.
 */
public enum Priority {
    /** Someone waits for it and cannot go on without. */
    CRITICAL(0, 1),
    /** Someone waits, and gets something worse without. */
    DEGRADED(0.25f, 0.85),
    /** Nobody notices at once. */
    BEST_EFFORT(0.5f, 0.7),
    /** Batches: they come again. */
    BULK(0.75f, 0.55);

    /** Between the reserves of two tiers; within it, users are told apart. */
    static final float BAND = 0.25f;

    private final float reserve;
    private final double patience;

    Priority(float reserve, double patience) {
        this.reserve = reserve;
        this.patience = patience;
    }

    /** The share of the bucket that this tier leaves to those before it. */
    public float reserve() {
        return reserve;
    }

    /**
     * The share of the server's hard limit at which this tier is refused: the least important goes first. All are above the
     * queue at which marks hold a service that has more to do than it can, about half of the limit: below it, refusing
     * would be the rule.
     */
    public double patience() {
        return patience;
    }
}

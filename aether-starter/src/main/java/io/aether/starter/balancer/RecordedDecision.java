// SPDX-License-Identifier: Apache-2.0
package io.aether.starter.balancer;

import io.aether.core.pick.Decision;
import io.aether.core.pick.Instance;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** A decision that may be kept, to be explained later. */
public final class RecordedDecision {

    private final Instant time = Instant.now();
    private final Policy policy;
    private final Instance chosen;
    private final @Nullable Decision explanation;
    private final @Nullable Instance avoided;
    private final @Nullable Instance roundRobin;
    private volatile @Nullable Instance followed;

    RecordedDecision(
            Policy policy,
            Instance chosen,
            @Nullable Decision explanation,
            @Nullable Instance avoided,
            @Nullable Instance roundRobin) {
        this.policy = policy;
        this.chosen = chosen;
        this.explanation = explanation;
        this.avoided = avoided;
        this.roundRobin = roundRobin;
    }

    /** When it was made. */
    public Instant time() {
        return time;
    }

    /** The policy in force then. */
    public Policy policy() {
        return policy;
    }

    /** Aether's choice. */
    public Instance chosen() {
        return chosen;
    }

    /** What it was made from; null for a decision that is not part of the sample. */
    public @Nullable Decision explanation() {
        return explanation;
    }

    /** The instance that failed the same call before, if any. */
    public @Nullable Instance avoided() {
        return avoided;
    }

    /** Whose turn it was, had every request so far gone to the next in the list; null for a decision that is not part of the sample. */
    public @Nullable Instance roundRobin() {
        return roundRobin;
    }

    /** What Spring's balancer chose, in mode observe. */
    public @Nullable Instance followed() {
        return followed;
    }

    void followed(@Nullable Instance instance) {
        followed = instance;
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.aether.core.pick;

import io.aether.core.score.KernelScore;
import io.aether.core.table.EndpointHealth;
import org.jspecify.annotations.Nullable;

/**
 * Class and cost of an instance. Cost is a product, never a weighted sum (Prequal, NSDI '24, appendix A: every linear
 * combination of latency and load loses to load alone): {@code latency * (in flight + 1) * health}.
 *
 * <p>{@code latency} is the largest of the estimate, the time without progress, and what is left of a failure's penalty.
 */
final class Judge {
    /** With nobody measured all are alike, and any latency will do. */
    private static final double UNKNOWN_NANOS = 1_000_000;

    private final Shared shared;

    Judge(Shared shared) {
        this.shared = shared;
    }

    /** The class's ordinal; {@code health} is null when the kernel has nothing to say. */
    int classOf(Instance instance, @Nullable EndpointHealth health, long now) {
        if (instance.ejected(now) || (health != null && KernelScore.gone(health, now))) {
            return InstanceClass.EJECTED.ordinal();
        }
        if (health != null && KernelScore.degraded(health, now)) {
            return InstanceClass.DEGRADED.ordinal();
        }
        boolean hot = instance.inFlight() > shared.hotAbove || instance.onProbation();
        return hot ? InstanceClass.HOT.ordinal() : InstanceClass.COLD.ordinal();
    }

    /** In nanoseconds that a request is worth avoiding. */
    double cost(Instance instance, @Nullable EndpointHealth health, long now) {
        double latency = latency(instance, health, now);
        double factor = health == null ? 1 : KernelScore.factor(health, now, latency);
        return latency * (instance.inFlight() + 1) * factor;
    }

    double latency(Instance instance, @Nullable EndpointHealth health, long now) {
        double rest = shared.medianNanos;
        if (health != null && instance.unanswered()) {
            double node = KernelScore.nodeLatency(health, now);
            rest = node > 0 ? node : rest;
        }
        double estimate = instance.latencyNanos(now, rest > 0 ? rest : UNKNOWN_NANOS);
        double floor = Math.max(instance.standstillNanos(now), instance.penaltyNanos(now));
        return Math.max(estimate, floor);
    }
}

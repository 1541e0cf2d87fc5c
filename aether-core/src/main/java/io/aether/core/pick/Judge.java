// SPDX-License-Identifier: Apache-2.0
package io.aether.core.pick;

import io.aether.core.table.EndpointHealth;

/**
 * Class and cost of an instance. Cost is a product, never a weighted sum (Prequal, NSDI '24, appendix A: every linear
 * combination of latency and load loses to load alone): {@code latency * health * (in flight + 1)}.
 *
 * <p>{@code latency * health} is the largest of the estimate times the kernel's factor, the time without progress, and
 * what is left of a failure's penalty. The factor counts relative to the fleet's median: what all suffer alike, such as a
 * shared machine's busy processors, makes no difference between them.
 */
final class Judge {
    private static final int COLD = InstanceClass.COLD.rank;
    private static final int HOT = InstanceClass.HOT.rank;
    private static final int EJECTED = InstanceClass.EJECTED.rank;
    /** With nobody measured all are alike, and any latency will do. */
    private static final double UNKNOWN_NANOS = 1_000_000;

    private static final double SPREAD = 1.5;

    private final Shared shared;
    private final KernelView kernel;
    private final Sight blind;

    Judge(Shared shared, KernelView kernel) {
        this.shared = shared;
        this.kernel = kernel;
        this.blind = new Sight(shared.clock.nanos());
    }

    /** What to judge by: the kernel's view, not older than {@link Sight#MOST_AGE_NANOS}, or nothing. */
    Sight sight(Instance instance, Signals signals, long now, EndpointHealth scratch) {
        if (signals == Signals.APPLICATION) {
            return blind;
        }
        Sight sight = instance.sight();
        if (sight.old(now)) {
            look(instance, sight, now, scratch);
        }
        return sight;
    }

    private void look(Instance instance, Sight sight, long now, EndpointHealth scratch) {
        if (kernel.read(instance, scratch)) {
            sight.see(scratch, now, estimate(instance, sight, now), shared.firstEjectionNanos);
        } else {
            sight.seeNothing(now);
        }
    }

    /** The class's ordinal. */
    int classOf(Instance instance, Sight sight, long now) {
        if (instance.ejected(now)) {
            return EJECTED;
        }
        if (sight.worst != COLD) {
            return sight.worst;
        }
        return instance.inFlight() > shared.hotAbove || instance.onProbation() ? HOT : COLD;
    }

    /** In nanoseconds that a request is worth avoiding. */
    double cost(Instance instance, Sight sight, long now) {
        return latency(instance, sight, now) * (instance.inFlight() + 1);
    }

    double latency(Instance instance, Sight sight, long now) {
        double floor = Math.max((double) instance.standstillNanos(now), instance.penaltyNanos(now));
        double factor = Math.max(1, sight.factor / shared.medianFactor);
        return Math.max(ranked(estimate(instance, sight, now) * factor), floor);
    }

    /**
     * An estimate without its spread: what lies within {@link #SPREAD} of the fleet's median is taken for the median, and
     * the rest is moved by that much towards it, so that no step arises. Among equals load alone decides then, which is
     * the best rule for equals, and no instance is starved for having answered a slow request lately.
     */
    private double ranked(double estimate) {
        double median = shared.medianNanos;
        if (estimate > median) {
            return Math.max(median, estimate / SPREAD);
        }
        return Math.min(median, estimate * SPREAD);
    }

    private double estimate(Instance instance, Sight sight, long now) {
        double rest = shared.medianNanos;
        if (sight.nodeNanos > 0 && instance.unanswered()) {
            rest = sight.nodeNanos; // The node's other clients know it better than the fleet's median does.
        }
        return instance.latencyNanos(now, rest > 0 ? rest : UNKNOWN_NANOS);
    }
}

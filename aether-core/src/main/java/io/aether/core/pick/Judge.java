// SPDX-License-Identifier: Apache-2.0
package io.aether.core.pick;

import io.aether.core.score.LoadHint;
import io.aether.core.table.EndpointHealth;

/**
 * Class and cost of an instance. Cost is a product, never a weighted sum (Prequal, NSDI '24, appendix A: every linear
 * combination of latency and load loses to load alone): {@code latency * health * (in flight + 1)}. Where servers tell of their
 * load, what is in flight is what {@link Told} makes of that, and one whose answers take much longer than the others' is as slow as
 * it says.
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
            sight.see(scratch, now, estimate(instance, sight, shared.norms, now), shared.firstEjectionNanos);
        } else {
            sight.seeNothing(now);
        }
    }

    /** The class's ordinal. */
    int classOf(Instance instance, Sight sight, Norms norms, long now) {
        if (instance.ejected(now)) {
            return EJECTED;
        }
        if (sight.worst != COLD) {
            return sight.worst;
        }
        return instance.inFlight() > norms.hotAbove() || instance.onProbation() ? HOT : COLD;
    }

    /** In nanoseconds that a request is worth avoiding. */
    double cost(Instance instance, Sight sight, Norms norms, long now) {
        long heard = instance.heard;
        return latency(instance, heard, sight, norms, now) * norms.told().crowd(instance.inFlight(), heard, now);
    }

    double latency(Instance instance, Sight sight, Norms norms, long now) {
        return latency(instance, instance.heard, sight, norms, now);
    }

    private static double latency(Instance instance, long heard, Sight sight, Norms norms, long now) {
        double floor = Math.max(
                (double) instance.standstillNanos(now), instance.standing().penaltyNanos(now));
        double factor = Math.max(1, sight.factor * norms.perFactor()) * LoadHint.factor(heard, now);
        double ranked = norms.ranked(estimate(instance, sight, norms, now) * factor);
        if (heard != 0) {
            ranked = Math.max(ranked, norms.medianNanos() * norms.told().slowness(heard, now));
        }
        return Math.max(ranked, floor);
    }

    /**
     * Drawn, while idle, towards what the node's clients see of it; towards the fleet's median where they see nothing.
     */
    private static double estimate(Instance instance, Sight sight, Norms norms, long now) {
        double rest = sight.nodeNanos > 0 ? sight.nodeNanos : norms.medianNanos();
        return instance.latencyNanos(now, norms.perForget(), rest > 0 ? rest : UNKNOWN_NANOS);
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.aether.core.pick;

import io.aether.core.pick.InstanceSnapshot.SignalValue;
import io.aether.core.score.Heard;
import io.aether.core.score.KernelScore;
import io.aether.core.table.EndpointHealth;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Turns numbers into what people read. */
final class Explanation {
    private static final InstanceClass[] CLASSES = InstanceClass.values();
    private static final double MILLI = 1e6;

    private Explanation() {}

    /** @param signals what is known of an instance now */
    static Decision decision(
            Instance[] all, Scratch scratch, int chosen, Function<Instance, List<SignalValue>> signals) {
        List<Decision.Candidate> candidates = new ArrayList<>(scratch.count);
        for (int i = 0; i < scratch.count; i++) {
            Instance candidate = all[scratch.indices[i]];
            candidates.add(new Decision.Candidate(
                    candidate,
                    CLASSES[scratch.classes[i]],
                    candidate.far ? scratch.costs[i] / Picker.OTHER_ZONE : scratch.costs[i],
                    candidate.inFlight(),
                    signals.apply(candidate)));
        }
        InstanceClass best = CLASSES[scratch.classes[chosen]];
        boolean others = candidates.stream().anyMatch(candidate -> candidate.instanceClass() != best);
        String reason;
        if (best == InstanceClass.EJECTED) {
            reason = "every candidate is ejected: the cheapest anyway";
        } else if (candidates.size() == 1) {
            reason = "the only candidate";
        } else {
            reason = "lowest cost" + (others ? " in the best class" : "");
        }
        return new Decision(all[scratch.indices[chosen]], List.copyOf(candidates), best, reason);
    }

    static InstanceSnapshot snapshot(
            Instance instance, @Nullable EndpointHealth health, Judge judge, Norms norms, long now) {
        Sight sight = new Sight(now);
        if (health != null) {
            sight.see(health, now, judge.latency(instance, sight, norms, now), 0);
        }
        double latency = judge.latency(instance, sight, norms, now);
        List<SignalValue> signals = new ArrayList<>();
        application(instance, now, signals);
        if (health != null) {
            kernel(health, now, latency, signals);
        }
        return new InstanceSnapshot(
                instance.key(),
                CLASSES[judge.classOf(instance, sight, norms, now)],
                judge.cost(instance, sight, norms, now),
                instance.inFlight(),
                latency / MILLI,
                instance.picks(),
                instance.failures(),
                List.copyOf(signals));
    }

    private static void application(Instance instance, long now, List<SignalValue> into) {
        if (!instance.unanswered()) {
            double age = instance.latencyAgeNanos(now);
            into.add(new SignalValue("latency_ms", instance.measuredNanos() / MILLI, (long) (age / MILLI)));
        }
        if (instance.far) {
            into.add(new SignalValue("other_zone", 1, 0));
        }
        told(instance.heard, now, into);
        into.add(new SignalValue("standstill_ms", instance.standstillNanos(now) / MILLI, 0));
        into.add(new SignalValue("penalty_ms", instance.standing().penaltyNanos(now) / MILLI, 0));
        into.add(new SignalValue("ejected_ms", Math.max(0, instance.standing().ejectedUntil() - now) / MILLI, 0));
    }

    private static void told(long heard, long now, List<SignalValue> into) {
        long age = (long) (Heard.ageNanos(heard, now) / MILLI);
        if (Heard.utilization(heard) > 0) {
            into.add(new SignalValue("reported_utilization", Heard.utilization(heard), age));
        }
        if (Heard.tellsInFlight(heard)) {
            into.add(new SignalValue("reported_in_flight", Heard.inFlight(heard), age));
            into.add(new SignalValue("reported_latency_ms", Heard.nanos(heard) / MILLI, age));
        }
    }

    private static void kernel(EndpointHealth health, long now, double latency, List<SignalValue> into) {
        into.add(new SignalValue("health_factor", KernelScore.factor(health, now, latency), 0));
        if (health.pathTimeNanos != 0) {
            long age = age(health.pathTimeNanos, now);
            into.add(new SignalValue("rtt_ms", health.srttMicros / 1e3, age));
            into.add(new SignalValue("rtt_min_ms", health.minRttMicros / 1e3, age));
            into.add(new SignalValue("retransmitted_permille", health.retransPermille, age));
            into.add(new SignalValue("congested", health.congested() ? 1 : 0, age));
        }
        if (health.ecnTimeNanos != 0) {
            into.add(new SignalValue("ce_permille", health.cePermille, age(health.ecnTimeNanos, now)));
        }
        if (health.reportTimeNanos != 0) {
            report(health, age(health.reportTimeNanos, now), into);
        }
        if (health.httpTimeNanos != 0) {
            into.add(new SignalValue("node_latency_ms", health.ttfbMicros / 1e3, age(health.httpTimeNanos, now)));
        }
    }

    private static void report(EndpointHealth health, long age, List<SignalValue> into) {
        into.add(new SignalValue("stalled", health.stalled() ? 1 : 0, age));
        into.add(new SignalValue("gone", health.gone() ? 1 : 0, age));
        into.add(new SignalValue("stall_ms", health.stallAgeMicros / 1e3, age));
        into.add(new SignalValue("sojourn_ms", health.sojournMicros / 1e3, age));
        into.add(new SignalValue("run_queue_ms", health.runQueueMicros / 1e3, age));
        into.add(new SignalValue("throttled_permille", health.throttledPermille, age));
        into.add(new SignalValue("pressure", health.pressure, age));
    }

    private static long age(long time, long now) {
        return Math.max(0, now - time) / 1_000_000;
    }
}

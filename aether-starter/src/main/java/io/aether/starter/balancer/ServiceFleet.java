// SPDX-License-Identifier: Apache-2.0
package io.aether.starter.balancer;

import io.aether.core.pick.Decision;
import io.aether.core.pick.Fleet;
import io.aether.core.pick.Instance;
import io.aether.core.pick.InstanceClass;
import io.aether.core.pick.InstanceSnapshot;
import io.aether.core.pick.Signals;
import io.aether.starter.inflight.FailureKind;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;
import org.springframework.cloud.client.ServiceInstance;

/** One service as this application sees it: its instances, how they are chosen, and what came of it. Thread-safe. */
public final class ServiceFleet {

    private final String service;
    private final Fleet fleet;
    private final Switches switches;
    private final Roster roster;
    private final DecisionLog decisions;
    private final Map<FailureKind, LongAdder> failures = new EnumMap<>(FailureKind.class);
    private final PickCounters picks = new PickCounters();

    ServiceFleet(String service, Fleet fleet, Switches switches, DecisionLog decisions, @Nullable String ownZone) {
        this.service = service;
        this.fleet = fleet;
        this.switches = switches;
        this.roster = new Roster(service, fleet, ownZone);
        this.decisions = decisions;
        for (FailureKind kind : FailureKind.values()) {
            failures.put(kind, new LongAdder());
        }
    }

    /** The service's id, as applications name it in the host part of their URLs. */
    public String service() {
        return service;
    }

    /** The policy in force now. */
    public Policy policy() {
        return switches.of(service);
    }

    /** All instances in use. */
    public List<Instance> instances() {
        return fleet.instances();
    }

    /** All instances with their class, cost and signals as a pick would see them now. O(n). */
    public List<InstanceSnapshot> snapshot() {
        return fleet.snapshot(policy().signals());
    }

    /** The last decisions, newest first. */
    public List<RecordedDecision> decisions() {
        return decisions.last();
    }

    /** The instance behind Spring's object; null when this service has no such instance. */
    public @Nullable Instance find(ServiceInstance original) {
        return roster.find(original);
    }

    /** Whether the kernel says that requests to the instance lie unread now, where kernel signals count. */
    public boolean stalled(Instance instance) {
        return fleet.stalled(instance, policy().signals());
    }

    /** Whether a pick finds another instance that has nothing serious against it. */
    @SuppressWarnings("ReferenceEquality") // One object for each instance.
    public boolean hasOther(Instance instance) {
        Signals signals = policy().signals();
        Instance other = fleet.pick(signals, instance);
        return other != null
                && other != instance
                && fleet.classOf(other, signals).compareTo(InstanceClass.DEGRADED) < 0;
    }

    /** The class of an instance as a pick would see it now. */
    public InstanceClass standing(Instance instance) {
        return fleet.classOf(instance, policy().signals());
    }

    /** An instance as a debug header tells of it: where it is, its class and its requests in flight now. */
    public String describe(Instance instance) {
        return instance.key().host() + ':' + instance.key().port() + ";class="
                + standing(instance).name().toLowerCase(Locale.ROOT) + ";in-flight="
                + instance.inFlight() + ";instances=" + fleet.instances().size();
    }

    /** Requests in flight over all instances. */
    public int inFlight() {
        int sum = 0;
        for (Instance instance : fleet.instances()) {
            sum += instance.inFlight();
        }
        return sum;
    }

    /** Instances that the registry lists without host or port; they get no requests. */
    public int unusable() {
        return roster.unusable();
    }

    /** Failures of {@code kind} since the application started. */
    public long failures(FailureKind kind) {
        return Objects.requireNonNull(failures.get(kind)).sum();
    }

    /** Picks by class and mode since the application started. */
    public PickCounters picks() {
        return picks;
    }

    InstanceView view(List<ServiceInstance> list) {
        return roster.view(list);
    }

    /** Picks among the view's instances, counts the pick, and explains it if it is the sample's turn. */
    Instance pick(InstanceView view, Policy policy, @Nullable Instance avoid) {
        return decisions.isDue() ? explained(view, policy, avoid).chosen() : quick(view, policy, avoid);
    }

    /** As {@link #pick}, for a pick that will not be followed: a sampled one waits for what Spring chose instead. */
    RecordedDecision observe(InstanceView view, Policy policy, @Nullable Instance avoid) {
        return decisions.isDue()
                ? explained(view, policy, avoid)
                : new RecordedDecision(policy, quick(view, policy, avoid), null, avoid, null);
    }

    private Instance quick(InstanceView view, Policy policy, @Nullable Instance avoid) {
        Instance chosen = roster.pick(view, policy.signals(), avoid);
        picks.count(policy.mode(), fleet.classOf(chosen, policy.signals()));
        return chosen;
    }

    private RecordedDecision explained(InstanceView view, Policy policy, @Nullable Instance avoid) {
        Decision decision = fleet.decide(policy.signals(), avoid);
        if (decision == null || view.original(decision.chosen()) == null) {
            return new RecordedDecision(policy, quick(view, policy, avoid), null, avoid, null);
        }
        Instance[] all = view.candidates();
        Instance next = all[(int) (picks.total() % all.length)];
        picks.count(policy.mode(), decision.chosenClass());
        RecordedDecision recorded = new RecordedDecision(policy, decision.chosen(), decision, avoid, next);
        decisions.add(recorded);
        return recorded;
    }

    void failed(FailureKind kind) {
        Objects.requireNonNull(failures.get(kind)).increment();
    }

    void sweep() {
        roster.sweep();
    }
}

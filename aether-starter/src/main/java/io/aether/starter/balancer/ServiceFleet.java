// SPDX-License-Identifier: Apache-2.0
package io.aether.starter.balancer;

import io.aether.core.pick.Fleet;
import io.aether.core.pick.Instance;
import io.aether.core.pick.InstanceSnapshot;
import io.aether.core.pick.Signals;
import io.aether.starter.inflight.FailureKind;
import java.util.List;
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
    private final LongAdder[] failures = adders(FailureKind.values().length);
    private final PickCounters picks = new PickCounters();

    ServiceFleet(String service, Fleet fleet, Switches switches, DecisionLog decisions) {
        this.service = service;
        this.fleet = fleet;
        this.switches = switches;
        this.roster = new Roster(service, fleet);
        this.decisions = decisions;
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
    public List<Decision> decisions() {
        return decisions.last();
    }

    /** The instance behind Spring's object; null when this service has no such instance. */
    public @Nullable Instance find(ServiceInstance original) {
        return roster.find(original);
    }

    /** Requests in flight over all instances. */
    public int inFlight() {
        int sum = 0;
        for (Instance instance : fleet.instances()) {
            sum += instance.inFlight();
        }
        return sum;
    }

    /** Failures of {@code kind} since the application started. */
    public long failures(FailureKind kind) {
        return failures[kind.ordinal()].sum();
    }

    /** Picks by class and mode since the application started. */
    public PickCounters picks() {
        return picks;
    }

    InstanceView view(List<ServiceInstance> list) {
        return roster.view(list);
    }

    @Nullable Instance pick(InstanceView view, Signals signals, @Nullable Instance avoid) {
        return roster.isWhole(view) ? fleet.pick(signals, avoid) : fleet.pick(signals, avoid, view.candidates());
    }

    /** Counts a pick, and remembers it with its reasons if it is the sample's turn. */
    void record(InstanceView view, Policy policy, Instance chosen, @Nullable Instance avoid, @Nullable Instance spring) {
        picks.count(policy.mode(), chosen.lastClass());
        if (decisions.isDue()) {
            decisions.add(view, policy, chosen, avoid, spring, fleet);
        }
    }

    void failed(FailureKind kind) {
        failures[kind.ordinal()].increment();
    }

    void sweep() {
        roster.sweep();
    }

    private static LongAdder[] adders(int length) {
        LongAdder[] adders = new LongAdder[length];
        for (int i = 0; i < length; i++) {
            adders[i] = new LongAdder();
        }
        return adders;
    }
}

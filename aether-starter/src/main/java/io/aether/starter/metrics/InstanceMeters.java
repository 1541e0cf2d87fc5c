// SPDX-License-Identifier: Apache-2.0
package io.aether.starter.metrics;

import io.aether.core.pick.Instance;
import io.aether.core.pick.InstanceSnapshot;
import io.aether.starter.balancer.ServiceFleet;
import io.aether.starter.balancer.ServiceFleets;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Meters of single instances, for services that have few. They come and go with the instances, so that the number of time
 * series stays bounded. Confined to the housekeeping thread.
 */
public final class InstanceMeters implements Runnable {

    private static final double NANOS_PER_SECOND = 1e9;
    private static final double MILLIS_PER_SECOND = 1e3;

    private final ServiceFleets fleets;
    private final MeterRegistry registry;
    private final int maxInstances;
    private final Map<Instance, Entry> entries = new HashMap<>();

    private record Entry(Reading reading, List<Meter> meters) {}

    /** The last snapshot of one instance: one snapshot a second serves all gauges. */
    private static final class Reading {
        private volatile double costSeconds;
        private volatile double latencySeconds;
        private volatile int classOrdinal;
    }

    /** Creates the meters of services with at most {@code maxInstances} instances. */
    public InstanceMeters(ServiceFleets fleets, MeterRegistry registry, int maxInstances) {
        this.fleets = fleets;
        this.registry = registry;
        this.maxInstances = maxInstances;
    }

    /** Adds, reads and removes. */
    @Override
    public void run() {
        Set<Instance> present = new HashSet<>();
        for (ServiceFleet fleet : fleets.all()) {
            List<Instance> instances = fleet.instances();
            if (instances.size() <= maxInstances) {
                present.addAll(instances);
                read(fleet, instances);
            }
        }
        entries.entrySet().removeIf(entry -> {
            boolean gone = !present.contains(entry.getKey());
            if (gone) {
                entry.getValue().meters().forEach(registry::remove);
            }
            return gone;
        });
    }

    private void read(ServiceFleet fleet, List<Instance> instances) {
        Map<Object, Instance> byKey = new HashMap<>();
        instances.forEach(instance -> byKey.put(instance.key(), instance));
        for (InstanceSnapshot snapshot : fleet.snapshot()) {
            Instance instance = byKey.get(snapshot.key());
            if (instance != null) {
                Reading reading =
                        entries.computeIfAbsent(instance, this::register).reading();
                reading.costSeconds = snapshot.cost() / NANOS_PER_SECOND;
                reading.latencySeconds = snapshot.latencyMillis() / MILLIS_PER_SECOND;
                reading.classOrdinal = snapshot.instanceClass().ordinal();
            }
        }
    }

    private Entry register(Instance instance) {
        Reading reading = new Reading();
        Tags tags = Tags.of(
                "service",
                instance.key().service(),
                "instance",
                instance.key().host() + ":" + instance.key().port());
        List<Meter> meters = new ArrayList<>();
        meters.add(FunctionCounter.builder("aether.instance.requests", instance, Instance::picks)
                .description("Requests sent to the instance")
                .tags(tags)
                .register(registry));
        meters.add(FunctionCounter.builder("aether.instance.failures", instance, Instance::failures)
                .description("Failures of the instance")
                .tags(tags)
                .register(registry));
        meters.add(Gauge.builder("aether.instance.inflight", instance, Instance::inFlight)
                .description("Requests in flight to the instance")
                .tags(tags)
                .register(registry));
        meters.add(Gauge.builder("aether.instance.cost", reading, r -> r.costSeconds)
                .description("What picks compare")
                .baseUnit("seconds")
                .tags(tags)
                .register(registry));
        meters.add(Gauge.builder("aether.instance.latency", reading, r -> r.latencySeconds)
                .description("Latency within the cost")
                .baseUnit("seconds")
                .tags(tags)
                .register(registry));
        meters.add(Gauge.builder("aether.instance.class", reading, r -> r.classOrdinal)
                .description("0 cold, 1 hot, 2 degraded, 3 ejected")
                .tags(tags)
                .register(registry));
        return new Entry(reading, meters);
    }
}

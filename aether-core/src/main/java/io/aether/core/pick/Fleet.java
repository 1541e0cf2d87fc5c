// SPDX-License-Identifier: Apache-2.0
package io.aether.core.pick;

import io.aether.core.Dice;
import io.aether.core.NanoClock;
import io.aether.core.table.EndpointHealth;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * All live instances of one service in this process, and the law that picks among them. Picks are lock-free, allocate
 * nothing and change nothing; {@link #update} is for the thread that follows the registry.
 *
 * <p>The law: {@code d = min(maxCandidates, n)} distinct random candidates (two are not enough where half of a small fleet
 * is slow or requests come in bursts); the best {@link InstanceClass} among them; in it the lowest cost
 * {@code latency * health * (in flight + 1)}, with those that the server tells of, and among ties the one whose last request is longest ago.
 */
public final class Fleet {
    private static final InstanceClass[] CLASSES = InstanceClass.values();
    private static final Scratch.Pool SCRATCHES = new Scratch.Pool();

    private final String service;
    private final NanoClock clock;
    private final KernelView kernel;
    private final Shared shared;
    private final Judge judge;
    private final Picker picker;
    private volatile Map<InstanceKey, Instance> byKey = Map.of();

    public Fleet(String service, PickSettings settings, NanoClock clock, Dice dice, KernelView kernel) {
        this.service = service;
        this.clock = clock;
        this.kernel = kernel;
        this.shared = new Shared(settings, clock);
        this.judge = new Judge(shared, kernel);
        this.picker = new Picker(settings, shared, judge, dice);
    }

    public String service() {
        return service;
    }

    /** Takes over a registry's list. Who stays keeps what is known of it; duplicates count once. Linear. */
    public void update(Collection<InstanceKey> keys) {
        update(keys, key -> false);
    }

    /**
     * The same where instances are in several zones.
     *
     * @param elsewhere whether one is in another zone than its callers here: it gets requests when those nearby heat
     */
    public synchronized void update(Collection<InstanceKey> keys, Predicate<InstanceKey> elsewhere) {
        Map<InstanceKey, Instance> present = byKey;
        long now = clock.nanos();
        boolean inUse = shared.norms.medianNanos() > 0;
        Map<InstanceKey, Instance> next = new LinkedHashMap<>(Math.max(16, keys.size() * 2));
        for (InstanceKey key : keys) {
            if (!next.containsKey(key)) {
                Instance known = present.get(key);
                next.put(key, known == null ? joining(key, inUse, now) : known);
            }
        }
        next.values().forEach(kernel::prepare);
        byKey = Map.copyOf(next); // A third of the size; the order is the array's.
        arrange(next.values(), elsewhere);
        shared.keepHalf(now);
    }

    /** Those nearby first. With nobody nearby, or everybody, all are alike. */
    private void arrange(Collection<Instance> all, Predicate<InstanceKey> elsewhere) {
        Map<Boolean, List<Instance>> byDistance =
                all.stream().collect(Collectors.partitioningBy(one -> elsewhere.test(one.key())));
        List<Instance> near = byDistance.getOrDefault(false, List.of());
        List<Instance> far = byDistance.getOrDefault(true, List.of());
        boolean differ = !near.isEmpty() && !far.isEmpty();
        near.forEach(instance -> instance.far = false);
        far.forEach(instance -> instance.far = differ);
        shared.instances = Stream.concat(near.stream(), far.stream()).toArray(Instance[]::new);
        shared.near = differ ? near.size() : 0;
    }

    private Instance joining(InstanceKey key, boolean inUse, long now) {
        Instance instance = new Instance(key, shared);
        if (inUse) {
            instance.standing().joins(now);
        }
        return instance;
    }

    /** The instance for the next request; null only if there is none. */
    public @Nullable Instance pick(Signals signals) {
        return pick(signals, null);
    }

    /** The same, avoiding one (the one that a retry has just failed on) if there is another. */
    public @Nullable Instance pick(Signals signals, @Nullable Instance exclude) {
        Instance[] all = shared.instances;
        if (all.length == 0) {
            return null;
        }
        Scratch scratch = SCRATCHES.take();
        int chosen = picker.pick(all, signals, exclude, clock.nanos(), scratch);
        Instance instance = all[scratch.indices[chosen]];
        SCRATCHES.give(scratch);
        return instance;
    }

    /** Picks as {@link #pick(Signals, Instance)} does and tells why. Allocates. */
    public @Nullable Decision decide(Signals signals, @Nullable Instance exclude) {
        Instance[] all = shared.instances;
        if (all.length == 0) {
            return null;
        }
        Scratch scratch = new Scratch();
        long now = clock.nanos();
        int chosen = picker.pick(all, signals, exclude, now, scratch);
        Norms norms = shared.norms;
        return Explanation.decision(
                all,
                scratch,
                chosen,
                candidate ->
                        snapshot(candidate, signals, norms, now, scratch.health).signals());
    }

    /** The class of an instance now. */
    public InstanceClass classOf(Instance instance, Signals signals) {
        Scratch scratch = SCRATCHES.take();
        long now = clock.nanos();
        Sight sight = judge.sight(instance, signals, now, scratch.health);
        int ordinal = judge.classOf(instance, sight, shared.norms, now);
        SCRATCHES.give(scratch);
        return CLASSES[ordinal];
    }

    /** Whether the kernel says that requests to an instance lie unread now. Neither blocks nor allocates. */
    public boolean stalled(Instance instance, Signals signals) {
        Scratch scratch = SCRATCHES.take();
        boolean stalled = judge.sight(instance, signals, clock.nanos(), scratch.health).stalled;
        SCRATCHES.give(scratch);
        return stalled;
    }

    /** The instance of that key, null when the registry does not list it. */
    public @Nullable Instance find(InstanceKey key) {
        return byKey.get(key);
    }

    /** All instances in the registry's order, those of the callers' zone first. A view: costs the same at any size. */
    public List<Instance> instances() {
        return Collections.unmodifiableList(Arrays.asList(shared.instances));
    }

    /** What is known of every instance now. */
    public List<InstanceSnapshot> snapshot(Signals signals) {
        long now = clock.nanos();
        Norms norms = shared.norms;
        EndpointHealth health = new EndpointHealth();
        return instances().stream()
                .map(instance -> snapshot(instance, signals, norms, now, health))
                .toList();
    }

    private InstanceSnapshot snapshot(
            Instance instance, Signals signals, Norms norms, long now, EndpointHealth health) {
        boolean known = signals == Signals.KERNEL && kernel.read(instance, health);
        return Explanation.snapshot(instance, known ? health : null, judge, norms, now);
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.aether.bench.sim.policy;

import io.aether.core.pick.Fleet;
import io.aether.core.pick.Instance;
import io.aether.core.pick.InstanceKey;
import io.aether.core.pick.Outcome;
import io.aether.core.pick.Signals;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/** Aether's own law: the classes of aether-core, in virtual time. */
public final class AetherPick implements Policy {
    private final Fleet fleet;
    private final Signals signals;
    private final Map<Integer, Instance> instances = new HashMap<>();

    private IntPredicate elsewhere = server -> false;

    public AetherPick(Fleet fleet, Signals signals) {
        this.fleet = fleet;
        this.signals = signals;
    }

    /** The key of a server: its number is its port. */
    public static InstanceKey key(int server) {
        return new InstanceKey("service", "http", "server", server);
    }

    /** The fleet, for tests that look inside. */
    public Fleet fleet() {
        return fleet;
    }

    @Override
    public void zones(IntPredicate others) {
        elsewhere = others;
    }

    @Override
    public void list(int[] servers) {
        List<InstanceKey> keys = new ArrayList<>();
        for (int server : servers) {
            Instance known = instances.get(server);
            keys.add(known == null ? key(server) : known.key());
        }
        fleet.update(keys, key -> elsewhere.test(key.port()));
        fleet.instances().forEach(instance -> instances.put(instance.key().port(), instance));
    }

    @Override
    public int pick(long now) {
        Instance instance = Objects.requireNonNull(fleet.pick(signals));
        instance.start();
        return instance.key().port();
    }

    @Override
    public void done(int server, long sent, long now, Ending ending, @Nullable Load load) {
        Instance instance = Objects.requireNonNull(instances.get(server));
        switch (ending) {
            case OK -> instance.firstByte(sent, Outcome.SUCCESS);
            case FAILED, TIMEOUT -> instance.fail(sent, 0);
            case REFUSED -> instance.refuse(sent);
        }
        instance.end();
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.aether.bench.sim.policy;

import io.aether.core.pick.Fleet;
import io.aether.core.pick.Instance;
import io.aether.core.pick.InstanceKey;
import io.aether.core.pick.Outcome;
import io.aether.core.pick.Signals;
import io.aether.core.score.LoadWord;
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
    /** Servers tell of their load, as those do that run the starter. */
    private final boolean told;

    private final Map<Integer, Instance> instances = new HashMap<>();

    private IntPredicate elsewhere = server -> false;

    /** @param told whether servers run the starter too, whose answers tell of their load */
    public AetherPick(Fleet fleet, Signals signals, boolean told) {
        this.fleet = fleet;
        this.signals = signals;
        this.told = told;
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
        if (told && load != null) {
            instance.reported(LoadWord.read(LoadWord.write(load.inFlight(), load.answerNanos())), 0);
        }
        switch (ending) {
            case OK -> instance.firstByte(sent, Outcome.SUCCESS);
            case FAILED, TIMEOUT -> instance.fail(sent, 0);
            case REFUSED -> instance.refuse(sent);
        }
        instance.end();
    }
}

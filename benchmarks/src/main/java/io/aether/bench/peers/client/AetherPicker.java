// SPDX-License-Identifier: Apache-2.0
package io.aether.bench.peers.client;

import io.aether.core.Dice;
import io.aether.core.NanoClock;
import io.aether.core.pick.Fleet;
import io.aether.core.pick.Instance;
import io.aether.core.pick.InstanceKey;
import io.aether.core.pick.KernelView;
import io.aether.core.pick.Outcome;
import io.aether.core.pick.PickSettings;
import io.aether.core.pick.Signals;
import java.net.InetSocketAddress;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Aether's law with its defaults. */
final class AetherPicker implements Picker {
    private final Fleet fleet;
    private final Signals signals;
    private final Map<Instance, Integer> places = new HashMap<>();

    AetherPicker(List<InetSocketAddress> servers, KernelView kernel, Signals signals) {
        this.signals = signals;
        this.fleet = new Fleet("service", PickSettings.defaults(), NanoClock.system(), Dice.threadLocal(), kernel);
        List<InstanceKey> keys = servers.stream()
                .map(server -> new InstanceKey("service", "http", server.getHostString(), server.getPort()))
                .toList();
        fleet.update(keys);
        for (int i = 0; i < keys.size(); i++) {
            places.put(Objects.requireNonNull(fleet.find(keys.get(i))), i);
        }
    }

    @Override
    public Pick pick(int not) {
        @Nullable
        Instance exclude = not == NOBODY
                ? null
                : fleet.instances().stream()
                        .filter(instance -> place(instance) == not)
                        .findFirst()
                        .orElse(null);
        Instance instance = Objects.requireNonNull(fleet.pick(signals, exclude));
        return new Chosen(instance, place(instance), instance.start());
    }

    private int place(Instance instance) {
        return Objects.requireNonNull(places.get(instance));
    }

    private record Chosen(Instance instance, int server, long started) implements Pick {
        @Override
        public void answered(int status) {
            if (Picker.wrong(status)) {
                instance.fail(started, 0);
            } else {
                instance.firstByte(started, Outcome.SUCCESS);
            }
            instance.end();
        }

        @Override
        public void failed(boolean refused) {
            if (refused) {
                instance.refuse(started);
            } else {
                instance.fail(started, 0);
            }
            instance.end();
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.aether.starter.limit;

import io.aether.core.limit.PeerMarks;
import io.aether.core.pick.Instance;
import io.aether.core.pick.KernelView;
import io.aether.core.table.EndpointHealth;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Function;

/**
 * The marks on what a service's instances answer, from the health table. All of the node's clients that share a network
 * namespace share the counters there, so a client of few requests knows what the busy ones met. A mark tells of a server, not of
 * a route: all of a service's groups get them. Confined to the thread that ticks.
 */
public final class TableMarks implements BranchLimits.Marks {

    private final BooleanSupplier live;
    private final KernelView kernel;
    private final Function<String, List<Instance>> instances;
    private final Map<String, Map<Instance, PeerMarks>> peers = new HashMap<>();
    private final EndpointHealth health = new EndpointHealth();

    /**
     * @param live whether the table's writer lives
     * @param instances of a service by its id; none when the kernel's signals are not wanted for it
     */
    public TableMarks(BooleanSupplier live, KernelView kernel, Function<String, List<Instance>> instances) {
        this.live = live;
        this.kernel = kernel;
        this.instances = instances;
    }

    @Override
    public boolean feed(String service, List<Branch> branches) {
        List<Instance> present = live.getAsBoolean() ? instances.apply(service) : List.of();
        if (present.isEmpty()) {
            return peers.remove(service) == null;
        }
        Map<Instance, PeerMarks> known = peers.computeIfAbsent(service, id -> new HashMap<>());
        for (Instance instance : present) {
            if (kernel.read(instance, health) && health.ecnTimeNanos != 0) {
                PeerMarks peer = known.computeIfAbsent(instance, key -> new PeerMarks());
                if (peer.read(health.ce, health.ect)) {
                    branches.forEach(branch -> branch.limiter().marks(peer));
                }
            } else {
                known.remove(instance);
            }
        }
        if (known.size() > present.size()) {
            known.keySet().retainAll(Set.copyOf(present));
        }
        return true;
    }
}

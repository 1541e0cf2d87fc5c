// SPDX-License-Identifier: Apache-2.0
package io.aether.starter.limit;

import io.aether.core.NanoClock;
import io.aether.core.limit.PeerMarks;
import io.aether.core.pick.Instance;
import io.aether.core.pick.KernelView;
import io.aether.core.table.EndpointHealth;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Function;

/**
 * The marks on what a service's instances answer, from the health table. All of the node's clients that share a network
 * namespace share the counters there, so a client of few requests knows what the busy ones met. A mark tells of a server, not of
 * a route: all of a service's groups get them.
 *
 * <p>A service has too much to do when its instances have, not when one does: that one is left by the balancer, and slowing
 * the others' requests down would help nobody. So marks count only while at least half of the instances that answered lately
 * were marked more than one time in twenty; else they pass for packets without.
 *
 * <p>Where packets cannot be marked, what the instances' own kernels tell of their pressure in a TCP option stands for marks.
 *
 * <p>Confined to the thread that ticks.
 */
public final class TableMarks implements BranchLimits.Marks {
    /** F below this is no congestion, for an instance as for a branch. */
    static final double CONGESTED = 0.05;
    /** What a tick of 50 ms leaves of the past: a second or so of memory. */
    private static final double KEEP = 0.95;
    /** Packets of that memory below which an instance has nothing to say. */
    private static final double LEAST = 0.5;

    private static final int NOTHING = -1;
    private static final long FRESH_NANOS = 1_000_000_000L;

    private final NanoClock clock;
    private final BooleanSupplier live;
    private final KernelView kernel;
    private final Function<String, List<Instance>> instances;
    private final Map<String, Map<Instance, Peer>> services = new HashMap<>();
    private final EndpointHealth health = new EndpointHealth();

    /** One instance's counters and what of them is not long ago. */
    private static final class Peer {
        private final PeerMarks marks = new PeerMarks();
        private double marked;
        private double all;

        void read(EndpointHealth health) {
            marks.read(health.ce, health.ect);
            marked = marked * KEEP + marks.marked();
            all = all * KEEP + marks.marked() + marks.clean();
        }
    }

    /**
     * @param clock that the table's times are of
     * @param live whether the table's writer lives
     * @param instances of a service by its id; none when the kernel's signals are not wanted for it
     */
    public TableMarks(
            NanoClock clock, BooleanSupplier live, KernelView kernel, Function<String, List<Instance>> instances) {
        this.clock = clock;
        this.live = live;
        this.kernel = kernel;
        this.instances = instances;
    }

    @Override
    public boolean feed(String service, List<Branch> branches) {
        List<Instance> present = live.getAsBoolean() ? instances.apply(service) : List.of();
        if (present.isEmpty()) {
            branches.forEach(branch -> branch.limiter().told(NOTHING));
            return services.remove(service) == null;
        }
        Map<Instance, Peer> peers = services.computeIfAbsent(service, id -> new HashMap<>());
        int[] pressures = new int[present.size()];
        int reports = 0;
        for (Instance instance : present) {
            boolean seen = kernel.read(instance, health);
            if (seen && health.ecnTimeNanos != 0) {
                peers.computeIfAbsent(instance, key -> new Peer()).read(health);
            } else {
                peers.remove(instance);
            }
            if (seen && reported()) {
                pressures[reports++] = health.pressure;
            }
        }
        int told = lowerMedian(pressures, reports);
        branches.forEach(branch -> branch.limiter().told(told));
        if (peers.size() > present.size()) {
            peers.keySet().retainAll(Set.copyOf(present));
        }
        tell(peers, branches);
        return true;
    }

    /** Whether the peer's own word of itself is there and not old. */
    private boolean reported() {
        return health.reportTimeNanos != 0 && clock.nanos() - health.reportTimeNanos <= FRESH_NANOS;
    }

    /** As for marks: half of the instances must say so; {@link #NOTHING} when none says anything. */
    private static int lowerMedian(int[] values, int count) {
        if (count == 0) {
            return NOTHING;
        }
        Arrays.sort(values, 0, count);
        return values[(count - 1) / 2];
    }

    private static void tell(Map<Instance, Peer> peers, List<Branch> branches) {
        long marked = 0;
        long clean = 0;
        for (Peer peer : peers.values()) {
            marked += peer.marks.marked();
            clean += peer.marks.clean();
        }
        if (marked > 0 && !congested(peers)) {
            clean += marked;
            marked = 0;
        }
        if (marked + clean > 0) {
            for (Branch branch : branches) {
                branch.limiter().marks(marked, clean);
            }
        }
    }

    /** By the lower median: of two instances, both must be. */
    private static boolean congested(Map<Instance, Peer> peers) {
        double[] shares = peers.values().stream()
                .filter(peer -> peer.all >= LEAST)
                .mapToDouble(peer -> peer.marked / peer.all)
                .toArray();
        Arrays.sort(shares);
        return shares.length > 0 && shares[(shares.length - 1) / 2] > CONGESTED;
    }
}

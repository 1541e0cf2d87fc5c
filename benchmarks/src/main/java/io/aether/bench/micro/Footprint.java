// SPDX-License-Identifier: Apache-2.0
package io.aether.bench.micro;

import io.aether.core.NanoClock;
import io.aether.core.pick.KernelView;
import io.aether.core.pick.Mode;
import io.aether.core.pick.PickSettings;
import io.aether.core.pick.Resolver;
import io.aether.core.pick.Signals;
import io.aether.core.table.TableSource;
import io.aether.starter.balancer.AetherLoadBalancer;
import io.aether.starter.balancer.Policy;
import io.aether.starter.balancer.ServiceFleets;
import io.aether.starter.balancer.Switches;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryMXBean;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.springframework.cloud.client.DefaultServiceInstance;
import org.springframework.cloud.client.ServiceInstance;
import org.springframework.cloud.client.loadbalancer.DefaultRequest;
import org.springframework.cloud.loadbalancer.support.ServiceInstanceListSuppliers;

/**
 * What instances take of a client's heap, as the difference that full collections leave: everything that a pick needs, starter and
 * core, with the address in the health table. What Spring holds of an instance is there anyway and does not count.
 */
final class Footprint {
    private static final int COLLECTIONS = 2;
    private static final int HOSTS_PER_NET = 250;
    private static final int DECISIONS = 100;

    private final MemoryMXBean memory = ManagementFactory.getMemoryMXBean();

    /**
     * Bytes that each of many services takes with all its instances; of one service that is all there is.
     *
     * @param size instances of each
     */
    double perService(int services, int size) {
        List<ServiceInstance[]> lists = IntStream.range(0, services)
                .mapToObj(i -> instances("service-" + i, size))
                .toList();
        balancers(List.<ServiceInstance[]>of(instances("first", 1))); // What is loaded once does not count.
        long before = used();
        List<AetherLoadBalancer> balancers = balancers(lists);
        long after = used();
        return (double) (after - before) / balancers.size();
    }

    private static ServiceInstance[] instances(String service, int size) {
        return IntStream.range(0, size)
                .mapToObj(i -> new DefaultServiceInstance("i" + i, service, host(i), LiveTable.FIRST_PORT, false))
                .toArray(ServiceInstance[]::new);
    }

    private static String host(int index) {
        int net = index / HOSTS_PER_NET;
        return "10." + net / HOSTS_PER_NET + "." + net % HOSTS_PER_NET + "." + (1 + index % HOSTS_PER_NET);
    }

    private static List<AetherLoadBalancer> balancers(List<ServiceInstance[]> lists) {
        TableSource nowhere = new TableSource(Path.of("no-table"), NanoClock.system(), LiveTable.NETNS);
        ServiceFleets fleets = new ServiceFleets(
                new Switches(new Policy(Mode.ON, Signals.KERNEL), Map.of()),
                PickSettings.defaults(),
                NanoClock.system(),
                KernelView.of(nowhere, Resolver.LITERALS_ONLY),
                DECISIONS);
        List<AetherLoadBalancer> balancers = new ArrayList<>();
        for (ServiceInstance[] list : lists) {
            String service = list[0].getServiceId();
            AetherLoadBalancer balancer =
                    new AetherLoadBalancer(ServiceInstanceListSuppliers.toProvider(service, list), service, fleets);
            balancer.choose(new DefaultRequest<>()).block();
            balancers.add(balancer);
        }
        return balancers;
    }

    /** The least of several: a collection leaves what the one before has only just found dead. */
    private long used() {
        long least = Long.MAX_VALUE;
        for (int i = 0; i < COLLECTIONS; i++) {
            System.gc();
            least = Math.min(least, memory.getHeapMemoryUsage().getUsed());
        }
        return least;
    }
}

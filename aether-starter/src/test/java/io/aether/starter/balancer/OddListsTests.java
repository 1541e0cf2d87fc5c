// SPDX-License-Identifier: Apache-2.0
package io.aether.starter.balancer;

import static io.aether.starter.balancer.ListSupplier.choose;
import static org.assertj.core.api.Assertions.assertThat;

import io.aether.core.pick.Instance;
import io.aether.core.pick.KernelView;
import io.aether.core.pick.Mode;
import io.aether.core.pick.PickSettings;
import io.aether.core.pick.Signals;
import io.aether.starter.testing.Apps;
import io.aether.starter.testing.Instances;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.springframework.cloud.client.DefaultServiceInstance;
import org.springframework.cloud.client.ServiceInstance;
import org.springframework.cloud.client.loadbalancer.DefaultRequest;

/** The balancer against what registries say that is odd, or says more than an address. */
class OddListsTests {

    private final AtomicLong now = new AtomicLong(1_000_000_000);
    private final ListSupplier supplier = new ListSupplier();
    private ServiceFleets fleets = Instances.fleets(Mode.ON, now::get);

    private AetherLoadBalancer balancer() {
        return supplier.balancer(fleets);
    }

    private ServiceFleets inZone(String zone) {
        return new ServiceFleets(
                new Switches(new Policy(Mode.ON, Signals.APPLICATION), Map.of()),
                PickSettings.defaults(),
                now::get,
                KernelView.NONE,
                8,
                zone);
    }

    private static ServiceInstance odd(String host, int port) {
        return new DefaultServiceInstance(null, Apps.SERVICE, host, port, false);
    }

    @Test
    void instancesWithoutHostOrPortGetNothingWhileThereAreOthers() {
        ServiceInstance good = Instances.one(1001);
        supplier.list = List.of(odd(null, 80), odd(" ", 80), odd("10.0.0.7", 0), odd("10.0.0.7", 70_000), good);
        AetherLoadBalancer balancer = balancer();
        for (int i = 0; i < 50; i++) {
            assertThat(choose(balancer, new DefaultRequest<>())).isSameAs(good);
        }
        assertThat(fleets.get(Apps.SERVICE).instances()).hasSize(1);
        assertThat(fleets.get(Apps.SERVICE).unusable()).isEqualTo(4);
        assertThat(fleets.failedOpenTotal()).isZero();
    }

    @Test
    void withNothingUsableSpringChooses() {
        supplier.list = List.of(odd(null, 0), odd("", 80));
        assertThat(supplier.list).contains(choose(balancer(), new DefaultRequest<>()));
        assertThat(fleets.failedOpenTotal()).isZero();
    }

    @Test
    void withoutAPortItIsTheSchemesOwn() {
        supplier.list = List.of(odd("10.0.0.7", -1), new DefaultServiceInstance(null, Apps.SERVICE, "::1", -1, true));
        choose(balancer(), new DefaultRequest<>());
        assertThat(fleets.get(Apps.SERVICE).instances())
                .extracting(instance -> instance.key().port())
                .containsExactlyInAnyOrder(80, 443);
    }

    @Test
    void aRegistryThatFlapsCostsNobodyHisHistory() {
        AetherLoadBalancer balancer = balancer();
        for (int i = 0; i < 1000; i++) {
            supplier.list = Instances.of(i % 2 == 0 ? 3 : 1);
            ServiceInstance chosen = choose(balancer, new DefaultRequest<>());
            assertThat(supplier.list).contains(chosen);
            Objects.requireNonNull(fleets.find(chosen)).start();
            if (i % 100 == 99) {
                fleets.sweep();
            }
        }
        assertThat(fleets.get(Apps.SERVICE).instances()).hasSize(3);
        assertThat(fleets.get(Apps.SERVICE).instances().stream()
                        .mapToLong(Instance::picks)
                        .sum())
                .isEqualTo(1000);
    }

    @Test
    void oddMetadataIsNoReasonToFail() {
        DefaultServiceInstance odd = new DefaultServiceInstance(
                null, Apps.SERVICE, "10.0.0.1", 1001, false, new HashMap<>(Map.of("zone", "", "weight", "a lot")));
        odd.getMetadata().put("management.port", null);
        supplier.list = List.of(odd, Instances.one(1002));
        fleets = inZone("a");
        for (int i = 0; i < 20; i++) {
            choose(balancer(), new DefaultRequest<>());
        }
        assertThat(fleets.failedOpenTotal()).isZero();
    }

    @Test
    void instancesOfAnotherZoneWaitUntilTheyAreNeeded() {
        List<ServiceInstance> all = new ArrayList<>();
        for (int i = 1; i <= 6; i++) {
            all.add(new DefaultServiceInstance(
                    null, Apps.SERVICE, "10.0.0.1", 1000 + i, false, Map.of("zone", i <= 3 ? "A" : "b")));
        }
        supplier.list = all;
        fleets = inZone("a");
        AetherLoadBalancer balancer = balancer();
        int elsewhere = 0;
        for (int i = 0; i < 1000; i++) {
            elsewhere += choose(balancer, new DefaultRequest<>()).getPort() > 1003 ? 1 : 0;
        }
        assertThat(elsewhere).isLessThan(60);
    }
}

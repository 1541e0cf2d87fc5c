// SPDX-License-Identifier: Apache-2.0
package io.aether.starter.balancer;

import static io.aether.starter.balancer.ListSupplier.choose;
import static org.assertj.core.api.Assertions.assertThat;

import io.aether.core.pick.Instance;
import io.aether.core.pick.Mode;
import io.aether.starter.inflight.Flight;
import io.aether.starter.inflight.Flights;
import io.aether.starter.inflight.Trip;
import io.aether.starter.testing.Apps;
import io.aether.starter.testing.Instances;
import java.net.URI;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntFunction;
import org.junit.jupiter.api.Test;
import org.springframework.cloud.client.ServiceInstance;
import org.springframework.cloud.client.loadbalancer.DefaultRequest;
import org.springframework.cloud.client.loadbalancer.Request;
import org.springframework.cloud.client.loadbalancer.RequestData;
import org.springframework.cloud.client.loadbalancer.RequestDataContext;
import org.springframework.cloud.client.loadbalancer.RetryableRequestContext;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.util.LinkedMultiValueMap;

/** The balancer against lists as Spring's suppliers give them. */
class AetherLoadBalancerTests {

    private final AtomicLong now = new AtomicLong(1_000_000_000);
    private final ListSupplier supplier = new ListSupplier();
    private ServiceFleets fleets = Instances.fleets(Mode.ON, now::get);
    private final Flights flights = new Flights(now::get, (instance, kind) -> {});

    private AetherLoadBalancer balancer() {
        return supplier.balancer(fleets);
    }

    private static Request<?> request(Trip trip) {
        Map<String, Object> attributes = new HashMap<>(Map.of(Trip.ATTRIBUTE, trip));
        return new DefaultRequest<>(new RequestDataContext(new RequestData(
                HttpMethod.GET,
                URI.create("http://shop"),
                new HttpHeaders(),
                new LinkedMultiValueMap<>(),
                attributes)));
    }

    @Test
    void respondsWithSpringsOwnObjectAndTellsTheSupplier() {
        supplier.list = Instances.of(3);
        ServiceInstance chosen = choose(balancer(), new DefaultRequest<>());
        assertThat(supplier.list).anyMatch(instance -> instance == chosen);
        assertThat(supplier.selected).containsExactly(chosen);
    }

    @Test
    void anEmptyListIsAnEmptyResponse() {
        supplier.list = List.of();
        assertThat(Objects.requireNonNull(
                                balancer().choose(new DefaultRequest<>()).block())
                        .hasServer())
                .isFalse();
    }

    @Test
    void duplicatesCountOnce() {
        List<ServiceInstance> doubled = new ArrayList<>(Instances.of(2));
        doubled.addAll(Instances.of(2));
        supplier.list = doubled;
        choose(balancer(), new DefaultRequest<>());
        assertThat(fleets.get(Apps.SERVICE).instances()).hasSize(2);
    }

    @Test
    void aFilteredListIsObeyedAndForgetsNobody() {
        AetherLoadBalancer balancer = balancer();
        supplier.list = Instances.of(5);
        choose(balancer, new DefaultRequest<>());
        List<Instance> before = fleets.get(Apps.SERVICE).instances();
        for (List<ServiceInstance> part : List.of(Instances.of(1), Instances.of(2))) {
            supplier.list = part;
            for (int i = 0; i < 50; i++) {
                assertThat(part).contains(choose(balancer, new DefaultRequest<>()));
            }
        }
        assertThat(fleets.get(Apps.SERVICE).instances()).containsExactlyInAnyOrderElementsOf(before);
    }

    @Test
    void instancesThatLeftTheRegistryAreForgottenAndNewOnesKnownAtOnce() {
        AetherLoadBalancer balancer = balancer();
        supplier.list = Instances.of(3);
        choose(balancer, new DefaultRequest<>());
        supplier.list = List.of(Instances.one(1001), Instances.one(2000));
        for (int i = 0; i <= 2 * Roster.GRACE_TICKS; i++) {
            assertThat(supplier.list).contains(choose(balancer, new DefaultRequest<>()));
            fleets.sweep();
        }
        assertThat(fleets.get(Apps.SERVICE).instances())
                .extracting(instance -> instance.key().port())
                .containsExactlyInAnyOrder(1001, 2000);
    }

    @Test
    void withoutTrafficNobodyIsForgotten() {
        supplier.list = Instances.of(3);
        choose(balancer(), new DefaultRequest<>());
        for (int i = 0; i < 100; i++) {
            fleets.sweep();
        }
        assertThat(fleets.get(Apps.SERVICE).instances()).hasSize(3);
    }

    @Test
    void metadataThatChangesDoesNotMakeANewInstance() {
        AetherLoadBalancer balancer = balancer();
        supplier.list = Instances.of(2);
        choose(balancer, new DefaultRequest<>());
        List<Instance> before = fleets.get(Apps.SERVICE).instances();
        List<ServiceInstance> changed = Instances.of(2);
        changed.forEach(instance -> instance.getMetadata().put("zone", "b"));
        supplier.list = changed;
        ServiceInstance chosen = choose(balancer, new DefaultRequest<>());
        assertThat(chosen.getMetadata()).containsEntry("zone", "b");
        assertThat(fleets.get(Apps.SERVICE).instances()).containsExactlyElementsOf(before);
    }

    @Test
    void modeOffIsRoundRobinAndStillCounts() {
        fleets = Instances.fleets(Mode.OFF, now::get);
        AetherLoadBalancer balancer = balancer();
        supplier.list = Instances.of(3);
        Map<Integer, Integer> shares = new HashMap<>();
        for (int i = 0; i < 9; i++) {
            Trip trip = new Trip(flights);
            shares.merge(choose(balancer, request(trip)).getPort(), 1, Integer::sum);
            assertThat(trip.begin()).isNotNull();
        }
        assertThat(shares.values()).containsOnly(3);
        assertThat(fleets.get(Apps.SERVICE).inFlight()).isEqualTo(9);
        assertThat(supplier.selected).hasSize(9);
    }

    @Test
    void modeObserveFollowsSpringAndRecordsBoth() {
        fleets = Instances.fleets(Mode.OBSERVE, now::get);
        AetherLoadBalancer balancer = balancer();
        supplier.list = Instances.of(2);
        ServiceInstance followed = choose(balancer, new DefaultRequest<>());
        RecordedDecision decision = fleets.get(Apps.SERVICE).decisions().get(0);
        assertThat(decision.explanation()).isNotNull();
        assertThat(Objects.requireNonNull(decision.followed()).key().port()).isEqualTo(followed.getPort());
    }

    @Test
    void aRetryAvoidsTheInstanceThatFailed() {
        AetherLoadBalancer balancer = balancer();
        supplier.list = Instances.of(2);
        for (int i = 0; i < 20; i++) {
            Trip trip = new Trip(flights);
            ServiceInstance first = choose(balancer, request(trip));
            Flight flight = Objects.requireNonNull(trip.begin());
            flight.answered(503, null, null);
            assertThat(choose(balancer, request(trip)).getPort()).isNotEqualTo(first.getPort());
            trip.finish();
        }
        assertThat(fleets.get(Apps.SERVICE).inFlight()).isZero();
    }

    @Test
    void springsOwnRetriesAvoidItToo() {
        AetherLoadBalancer balancer = balancer();
        supplier.list = Instances.of(2);
        choose(balancer, new DefaultRequest<>());
        Request<?> retry = new DefaultRequest<>(new RetryableRequestContext(supplier.list.get(0)));
        for (int i = 0; i < 20; i++) {
            assertThat(choose(balancer, retry)).isEqualTo(supplier.list.get(1));
        }
    }

    @Test
    void whatGoesWrongInAetherIsLeftToSpring() {
        AetherLoadBalancer balancer = balancer();
        supplier.list = new ArrayList<>(Instances.of(2)) {
            @Override
            public <T> T[] toArray(IntFunction<T[]> generator) {
                throw new IllegalStateException("broken");
            }
        };
        assertThat(supplier.list).contains(choose(balancer, new DefaultRequest<>()));
        assertThat(fleets.failedOpenTotal()).isOne();
    }
}

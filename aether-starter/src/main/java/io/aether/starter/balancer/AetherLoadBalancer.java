// SPDX-License-Identifier: Apache-2.0
package io.aether.starter.balancer;

import io.aether.core.pick.Instance;
import io.aether.core.pick.Mode;
import io.aether.starter.inflight.Trip;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.cloud.client.ServiceInstance;
import org.springframework.cloud.client.loadbalancer.DefaultResponse;
import org.springframework.cloud.client.loadbalancer.Request;
import org.springframework.cloud.client.loadbalancer.Response;
import org.springframework.cloud.client.loadbalancer.RetryableRequestContext;
import org.springframework.cloud.loadbalancer.core.NoopServiceInstanceListSupplier;
import org.springframework.cloud.loadbalancer.core.ReactorServiceInstanceLoadBalancer;
import org.springframework.cloud.loadbalancer.core.RoundRobinLoadBalancer;
import org.springframework.cloud.loadbalancer.core.SelectedInstanceCallback;
import org.springframework.cloud.loadbalancer.core.ServiceInstanceListSupplier;
import org.springframework.util.function.SingletonSupplier;
import reactor.core.publisher.Mono;

/**
 * The balancer of one service: takes the list from Spring's supplier, as Spring's own balancer does, and lets Aether choose.
 *
 * <p>It fails open: whatever goes wrong in here, Spring's round robin chooses instead, from the same list. In mode off it
 * always does; in mode observe it does too, after Aether has decided and recorded what it would have done.
 */
public final class AetherLoadBalancer implements ReactorServiceInstanceLoadBalancer {

    private final ServiceFleets fleets;
    private final ServiceFleet fleet;
    private final SingletonSupplier<ServiceInstanceListSupplier> suppliers;
    private final RoundRobinLoadBalancer spring;

    /**
     * Creates the balancer.
     *
     * @param suppliers where the service's instances come from; asked lazily
     * @param service the service's id
     */
    public AetherLoadBalancer(
            ObjectProvider<ServiceInstanceListSupplier> suppliers, String service, ServiceFleets fleets) {
        this.fleets = fleets;
        this.fleet = fleets.get(service);
        this.suppliers = SingletonSupplier.of(() -> suppliers.getIfAvailable(NoopServiceInstanceListSupplier::new));
        this.spring = new RoundRobinLoadBalancer(new HandedOver(service).provider(), service);
    }

    @Override
    @SuppressWarnings("rawtypes")
    public Mono<Response<ServiceInstance>> choose(Request request) {
        ServiceInstanceListSupplier supplier = suppliers.obtain();
        return supplier.get(request).next().flatMap(list -> choose(request, list, supplier));
    }

    private Mono<Response<ServiceInstance>> choose(
            Request<?> request, List<ServiceInstance> list, ServiceInstanceListSupplier supplier) {
        if (list.isEmpty()) {
            return spring.choose(new HandedOver.Choice(request, list));
        }
        Trip trip = Trip.of(request);
        try {
            InstanceView view = fleet.view(list);
            Policy policy = fleet.policy();
            if (policy.mode() == Mode.OFF || view.candidates().length == 0) {
                return follow(request, list, supplier, server -> tell(trip, view.instance(server)));
            }
            Instance avoid = avoid(request, trip);
            if (policy.mode() == Mode.OBSERVE) {
                RecordedDecision decision = fleet.observe(view, policy, avoid);
                return follow(request, list, supplier, server -> {
                    Instance followed = view.instance(server);
                    decision.followed(followed);
                    tell(trip, followed);
                });
            }
            Instance picked = fleet.pick(view, policy, avoid);
            ServiceInstance server =
                    Objects.requireNonNull(view.original(picked), "picked an instance outside of the request's list");
            tell(trip, picked);
            return Mono.just(chosen(server, supplier));
        } catch (RuntimeException | LinkageError e) {
            fleets.failedOpen(fleet.service(), e);
            return follow(request, list, supplier, server -> tell(trip, fleet.find(server)));
        }
    }

    /** Lets Spring's balancer choose, and notes what it chose. */
    private Mono<Response<ServiceInstance>> follow(
            Request<?> request,
            List<ServiceInstance> list,
            ServiceInstanceListSupplier supplier,
            Consumer<ServiceInstance> note) {
        return spring.choose(new HandedOver.Choice(request, list)).map(response -> {
            ServiceInstance server = response.getServer();
            if (server == null) {
                return response;
            }
            try {
                note.accept(server);
            } catch (RuntimeException | LinkageError e) {
                fleets.failedOpen(fleet.service(), e);
            }
            return chosen(server, supplier);
        });
    }

    private static Response<ServiceInstance> chosen(ServiceInstance server, ServiceInstanceListSupplier supplier) {
        if (supplier instanceof SelectedInstanceCallback callback) {
            callback.selectedServiceInstance(server);
        }
        return new DefaultResponse(server);
    }

    private static void tell(@Nullable Trip trip, @Nullable Instance instance) {
        if (trip != null) {
            trip.choose(instance);
        }
    }

    /** The instance that failed this call before: from our own trip, or from Spring's retry. */
    private @Nullable Instance avoid(Request<?> request, @Nullable Trip trip) {
        if (trip != null) {
            return trip.avoid();
        }
        if (request.getContext() instanceof RetryableRequestContext context) {
            ServiceInstance previous = context.getPreviousServiceInstance();
            return previous == null ? null : fleet.find(previous);
        }
        return null;
    }
}

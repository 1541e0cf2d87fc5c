// SPDX-License-Identifier: Apache-2.0
package io.aether.starter.inflight;

import static org.assertj.core.api.Assertions.assertThat;

import io.aether.core.pick.Instance;
import io.aether.core.pick.Mode;
import io.aether.starter.balancer.AetherLoadBalancer;
import io.aether.starter.balancer.ServiceFleet;
import io.aether.starter.balancer.ServiceFleets;
import io.aether.starter.testing.Apps;
import io.aether.starter.testing.Instances;
import java.net.ConnectException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.support.StaticListableBeanFactory;
import org.springframework.cloud.client.DefaultServiceInstance;
import org.springframework.cloud.client.ServiceInstance;
import org.springframework.cloud.client.loadbalancer.CompletionContext;
import org.springframework.cloud.client.loadbalancer.CompletionContext.Status;
import org.springframework.cloud.client.loadbalancer.DefaultRequest;
import org.springframework.cloud.client.loadbalancer.DefaultResponse;
import org.springframework.cloud.client.loadbalancer.LoadBalancerRequestAdapter;
import org.springframework.cloud.client.loadbalancer.Request;
import org.springframework.cloud.client.loadbalancer.RequestData;
import org.springframework.cloud.client.loadbalancer.RequestDataContext;
import org.springframework.cloud.client.loadbalancer.Response;
import org.springframework.cloud.client.loadbalancer.ResponseData;
import org.springframework.cloud.loadbalancer.core.ServiceInstanceListSupplier;
import org.springframework.cloud.loadbalancer.support.ServiceInstanceListSuppliers;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.http.HttpStatus;
import org.springframework.util.LinkedMultiValueMap;

/** The callbacks of entry points that Aether has no filter for. */
class LifecycleFlightsTests {

    private final AtomicLong now = new AtomicLong(1_000_000_000);
    private final ServiceFleets fleets = Instances.fleets(Mode.ON, now::get);
    private final List<FailureKind> failures = new ArrayList<>();
    private final Flights flights = new Flights(now::get, (instance, kind) -> failures.add(kind));
    private final LifecycleFlights lifecycle =
            new LifecycleFlights(flights, fleets::find, answer -> -1, true, Duration.ofMinutes(5));
    private final Response<ServiceInstance> response = new DefaultResponse(Instances.one(1001));

    @BeforeEach
    void oneInstance() {
        ServiceInstanceListSupplier supplier = ServiceInstanceListSuppliers.from(Apps.SERVICE, Instances.one(1001));
        new AetherLoadBalancer(
                        new StaticListableBeanFactory(Map.of("s", supplier))
                                .getBeanProvider(ServiceInstanceListSupplier.class),
                        Apps.SERVICE,
                        fleets)
                .choose(new DefaultRequest<>())
                .block();
    }

    private ServiceFleet fleet() {
        return fleets.get(Apps.SERVICE);
    }

    private static RequestDataContext context(Map<String, Object> attributes) {
        return new RequestDataContext(new RequestData(
                HttpMethod.GET, URI.create("http://shop"), new HttpHeaders(), new LinkedMultiValueMap<>(), attributes));
    }

    private static Request<Object> request() {
        return new DefaultRequest<>(context(new HashMap<>()));
    }

    private void complete(Request<Object> request, Status status, Throwable error, Object answer) {
        lifecycle.onComplete(new CompletionContext<>(status, error, request, response, answer));
    }

    private static ResponseData answer(HttpStatus status) {
        return new ResponseData(
                status,
                new HttpHeaders(),
                new LinkedMultiValueMap<>(),
                new RequestData(
                        HttpMethod.GET,
                        URI.create("http://shop"),
                        new HttpHeaders(),
                        new LinkedMultiValueMap<>(),
                        Map.of()));
    }

    @Test
    void countsFromStartToHeaders() {
        Request<Object> request = request();
        lifecycle.onStartRequest(request, response);
        assertThat(fleet().inFlight()).isOne();
        complete(request, Status.SUCCESS, null, answer(HttpStatus.OK));
        assertThat(fleet().inFlight()).isZero();
        assertThat(failures).isEmpty();
    }

    @Test
    void aServerErrorIsAFailureThoughSpringCallsItSuccess() {
        Request<Object> request = request();
        lifecycle.onStartRequest(request, response);
        complete(request, Status.SUCCESS, null, answer(HttpStatus.BAD_GATEWAY));
        assertThat(failures).containsExactly(FailureKind.SERVER_ERROR);
    }

    @Test
    void equalRequestsAreTwoAndCompletingTwiceIsOnce() {
        Request<Object> one = request();
        Request<Object> two = request();
        lifecycle.onStartRequest(one, response);
        lifecycle.onStartRequest(two, response);
        assertThat(fleet().inFlight()).isEqualTo(2);
        complete(one, Status.FAILED, new ConnectException(), null);
        complete(one, Status.FAILED, new ConnectException(), null);
        assertThat(fleet().inFlight()).isOne();
        assertThat(failures).containsExactly(FailureKind.CONNECT);
    }

    @Test
    void whatNeverComesBackIsGivenUpAndCounted() {
        lifecycle.onStartRequest(request(), response);
        now.addAndGet(Duration.ofMinutes(4).toNanos());
        lifecycle.sweep();
        assertThat(fleet().inFlight()).isOne();
        now.addAndGet(Duration.ofMinutes(2).toNanos());
        lifecycle.sweep();
        assertThat(fleet().inFlight()).isZero();
        assertThat(flights.leakedTotal()).isOne();
        assertThat(lifecycle.openCount()).isZero();
    }

    @Test
    void whatHasAFilterOfItsOwnIsNotCountedTwice() {
        lifecycle.onStartRequest(
                new DefaultRequest<>(context(new HashMap<>(Map.of(Trip.ATTRIBUTE, new Trip(flights))))), response);
        lifecycle.onStartRequest(new LoadBalancerRequestAdapter<>(server -> "", context(new HashMap<>())), response);
        assertThat(fleet().inFlight()).isZero();
    }

    @Test
    void anInstanceUnderAnotherCaseOfItsServiceIsFound() {
        Instance instance =
                fleets.find(new DefaultServiceInstance(null, Apps.SERVICE.toUpperCase(), "10.0.0.1", 1001, false));
        assertThat(Objects.requireNonNull(instance).key().port()).isEqualTo(1001);
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.aether.starter.inflight.blocking;

import io.aether.core.pick.Instance;
import io.aether.starter.hedge.BlockingHedge;
import io.aether.starter.hedge.BlockingHedge.Attempt;
import io.aether.starter.hedge.Hedge;
import io.aether.starter.hedge.Hedges;
import io.aether.starter.hedge.NoOtherInstanceException;
import io.aether.starter.inflight.Flight;
import io.aether.starter.inflight.Flights;
import io.aether.starter.inflight.Trip;
import io.aether.starter.limit.Passage;
import java.io.IOException;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.cloud.client.ServiceInstance;
import org.springframework.cloud.client.loadbalancer.DefaultRequest;
import org.springframework.cloud.client.loadbalancer.LoadBalancerClient;
import org.springframework.cloud.client.loadbalancer.LoadBalancerProperties;
import org.springframework.cloud.client.loadbalancer.RequestData;
import org.springframework.cloud.client.loadbalancer.RequestDataContext;
import org.springframework.cloud.client.loadbalancer.reactive.ReactiveLoadBalancer;
import org.springframework.core.task.AsyncTaskExecutor;
import org.springframework.http.HttpRequest;
import org.springframework.http.client.ClientHttpResponse;
import org.springframework.util.LinkedMultiValueMap;
import reactor.core.scheduler.Schedulers;

/** Second attempts of blocking calls: whether there may be one, and where it goes. */
public final class SecondAttempts implements DisposableBean {

    private static final String DEFAULT = "default";

    private final Hedges hedges;
    private final Flights flights;
    private final LoadBalancerClient client;
    private final ReactiveLoadBalancer.Factory<ServiceInstance> clients;
    private final AsyncTaskExecutor threads;

    /**
     * Creates it.
     *
     * @param threads where attempts of hedged calls run; each call takes one, or two
     */
    public SecondAttempts(
            Hedges hedges,
            Flights flights,
            LoadBalancerClient client,
            ReactiveLoadBalancer.Factory<ServiceInstance> clients,
            AsyncTaskExecutor threads) {
        this.hedges = hedges;
        this.flights = flights;
        this.client = client;
        this.clients = clients;
        this.threads = threads;
    }

    /** The call's hedge, null when it is not hedged. A thread that must not block does not wait for two. */
    @Nullable
    Hedge hedge(HttpRequest request, Passage passage, @Nullable Instance first) {
        return first == null || Schedulers.isInNonBlockingThread()
                ? null
                : hedges.of(request.getMethod(), request.getURI(), request.getHeaders(), passage, () -> first);
    }

    ClientHttpResponse run(Hedge hedge, Attempt<ClientHttpResponse> first, Attempt<ClientHttpResponse> second)
            throws Exception {
        return new BlockingHedge<>(hedge, threads, first, second, SecondAttempts::isFailure, ClientHttpResponse::close)
                .run();
    }

    private static boolean isFailure(ClientHttpResponse response) {
        try {
            return Flight.isFailure(response.getStatusCode().value());
        } catch (IOException unreadable) {
            return true;
        }
    }

    /** Chooses as Spring does for the first attempt, avoiding its instance. */
    ServiceInstance choose(HttpRequest request, @Nullable Instance first) {
        Trip trip = Trip.avoiding(flights, first);
        String service = String.valueOf(request.getURI().getHost());
        RequestData data = new RequestData(
                request.getMethod(),
                request.getURI(),
                request.getHeaders(),
                new LinkedMultiValueMap<>(),
                Map.of(Trip.ATTRIBUTE, trip));
        ServiceInstance server =
                client.choose(service, new DefaultRequest<>(new RequestDataContext(data, hint(service))));
        if (server == null || trip.meetsAvoided()) {
            throw new NoOtherInstanceException();
        }
        return server;
    }

    private String hint(String service) {
        LoadBalancerProperties properties = clients.getProperties(service);
        Map<String, String> hints = properties == null ? Map.of() : properties.getHint();
        return hints.getOrDefault(service, hints.getOrDefault(DEFAULT, DEFAULT));
    }

    @Override
    public void destroy() throws Exception {
        if (threads instanceof DisposableBean pool) {
            pool.destroy();
        }
    }
}

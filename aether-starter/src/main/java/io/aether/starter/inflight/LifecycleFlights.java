// SPDX-License-Identifier: Apache-2.0
package io.aether.starter.inflight;

import io.aether.core.pick.Instance;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.springframework.cloud.client.ServiceInstance;
import org.springframework.cloud.client.loadbalancer.CompletionContext;
import org.springframework.cloud.client.loadbalancer.LoadBalancerLifecycle;
import org.springframework.cloud.client.loadbalancer.LoadBalancerRequestAdapter;
import org.springframework.cloud.client.loadbalancer.Request;
import org.springframework.cloud.client.loadbalancer.Response;
import org.springframework.cloud.client.loadbalancer.ResponseData;
import org.springframework.http.HttpHeaders;

/**
 * Counts the requests of entry points that Aether has no filter of its own for (OpenFeign, Gateway on WebMVC, a user's own
 * filter function), by the callbacks that Spring gives.
 *
 * <p>Those end at the answer's headers, and never come when the caller cancels. So what has not come back after
 * {@code lostAfter} is taken for lost: it ends, and counts as leaked.
 */
public final class LifecycleFlights implements LoadBalancerLifecycle<Object, Object, ServiceInstance> {

    /** Finds the instance behind Spring's object. */
    @FunctionalInterface
    public interface Finder {
        /** Null when Aether does not know it. */
        @Nullable
        Instance find(ServiceInstance original);
    }

    /** Reads the status of answers of a kind that may not be on the class path. */
    @FunctionalInterface
    public interface StatusReader {
        /** The HTTP status, or -1 when {@code answer} is of another kind. */
        int status(Object answer);
    }

    private final Map<Identity, Flight> open = new ConcurrentHashMap<>();
    private final Flights flights;
    private final Finder finder;
    private final StatusReader statuses;
    private final boolean blockingCounted;
    private final long lostAfterNanos;

    /**
     * Creates the lifecycle.
     *
     * @param blockingCounted whether requests of Spring's blocking interceptors are counted elsewhere already
     * @param lostAfter time after which a request without an answer is given up
     */
    public LifecycleFlights(
            Flights flights, Finder finder, StatusReader statuses, boolean blockingCounted, Duration lostAfter) {
        this.flights = flights;
        this.finder = finder;
        this.statuses = statuses;
        this.blockingCounted = blockingCounted;
        this.lostAfterNanos = lostAfter.toNanos();
    }

    @Override
    public void onStart(Request<Object> request) {
        // Not sent yet.
    }

    @Override
    public void onStartRequest(Request<Object> request, Response<ServiceInstance> response) {
        ServiceInstance server = response.getServer();
        if (server == null || isCountedElsewhere(request)) {
            return;
        }
        Instance instance = finder.find(server);
        if (instance != null) {
            Flight earlier = open.put(new Identity(request), flights.start(instance));
            if (earlier != null) {
                earlier.end();
            }
        }
    }

    @Override
    public void onComplete(CompletionContext<Object, ServiceInstance, Object> completion) {
        Flight flight = open.isEmpty() ? null : open.remove(new Identity(completion.getLoadBalancerRequest()));
        if (flight == null) {
            return;
        }
        Throwable error = completion.getThrowable();
        Object answer = completion.getClientResponse();
        if (completion.status() == CompletionContext.Status.FAILED && error != null) {
            flight.failed(error);
        } else if (completion.status() == CompletionContext.Status.SUCCESS && answer != null) {
            answered(flight, answer);
        }
        flight.end();
    }

    private void answered(Flight flight, Object answer) {
        if (answer instanceof ResponseData data && data.getHttpStatus() != null) {
            HttpHeaders headers = data.getHeaders();
            flight.answered(
                    data.getHttpStatus().value(),
                    headers == null ? null : headers.getFirst(HttpHeaders.RETRY_AFTER),
                    headers == null ? null : headers.getFirst(HttpHeaders.CONTENT_TYPE));
            return;
        }
        int status = statuses.status(answer);
        if (status > 0) {
            flight.answered(status, null, null);
        }
    }

    /** Gives up requests that never came back. Called once a second. */
    public void sweep() {
        long now = flights.nanos();
        open.forEach((request, flight) -> {
            if (now - flight.startNanos() > lostAfterNanos && open.remove(request, flight)) {
                flight.lost();
            }
        });
    }

    /** Requests that are waited for. */
    int openCount() {
        return open.size();
    }

    private boolean isCountedElsewhere(Request<?> request) {
        return Trip.of(request) != null
                || blockingCounted && request instanceof LoadBalancerRequestAdapter && Trip.dataOf(request) != null;
    }

    /** Requests are equal by content, but two equal ones are two. */
    private record Identity(Request<?> request) {
        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof Identity that && that.request == request;
        }

        @Override
        public int hashCode() {
            return System.identityHashCode(request);
        }
    }
}

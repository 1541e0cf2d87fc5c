// SPDX-License-Identifier: Apache-2.0
package io.aether.starter.inflight.blocking;

import io.aether.core.pick.Instance;
import io.aether.core.score.LoadReport;
import io.aether.core.score.LoadWord;
import io.aether.starter.balancer.ServiceFleet;
import io.aether.starter.balancer.ServiceFleets;
import io.aether.starter.context.RequestContexts;
import io.aether.starter.hedge.Hedge;
import io.aether.starter.inflight.Flight;
import io.aether.starter.inflight.Flights;
import io.aether.starter.limit.Attempt;
import io.aether.starter.limit.BranchLimits;
import io.aether.starter.limit.Passage;
import io.aether.starter.limit.blocking.Asking;
import java.io.IOException;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;
import org.springframework.cloud.client.ServiceInstance;
import org.springframework.cloud.client.loadbalancer.HttpRequestLoadBalancerRequest;
import org.springframework.cloud.client.loadbalancer.LoadBalancerClient;
import org.springframework.cloud.client.loadbalancer.LoadBalancerRequest;
import org.springframework.cloud.client.loadbalancer.LoadBalancerRequestFactory;
import org.springframework.cloud.client.loadbalancer.LoadBalancerRequestTransformer;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpRequest;
import org.springframework.http.client.ClientHttpRequestExecution;
import org.springframework.http.client.ClientHttpResponse;

/**
 * Makes the requests of Spring's blocking load-balancer interceptors, the retrying one included, and counts each attempt until
 * its response is closed; the limiter of its branch is asked before. It takes the place of Spring's bean.
 */
public final class CountedRequestFactory extends LoadBalancerRequestFactory {

    private static final Log LOG = LogFactory.getLog(CountedRequestFactory.class);

    private final ServiceFleets fleets;
    private final Flights flights;
    private final BranchLimits limits;
    private final SecondAttempts seconds;

    /** Creates the factory. */
    public CountedRequestFactory(
            LoadBalancerClient client,
            List<LoadBalancerRequestTransformer> transformers,
            ServiceFleets fleets,
            Flights flights,
            BranchLimits limits,
            SecondAttempts seconds) {
        super(client, transformers);
        this.fleets = fleets;
        this.flights = flights;
        this.limits = limits;
        this.seconds = seconds;
    }

    @Override
    public LoadBalancerRequest<ClientHttpResponse> createRequest(
            HttpRequest request, byte[] body, ClientHttpRequestExecution execution) {
        return new CountedRequest(
                request,
                passage(request),
                super.createRequest(request, body, execution),
                // What comes later in the chain may write to the headers, and two attempts write at the same time.
                () -> super.createRequest(new CopiedRequest(request), body, execution));
    }

    /** Spring's retry makes each attempt of a call from the same request. */
    private Passage passage(HttpRequest request) {
        if (request.getAttributes().get(Passage.ATTRIBUTE) instanceof Passage passage) {
            return passage;
        }
        Passage passage = limits.call(request.getURI(), request.getHeaders(), RequestContexts.current());
        unlessReadOnly(() -> request.getAttributes().put(Passage.ATTRIBUTE, passage));
        return passage;
    }

    /** A request of somebody's own making may not let itself be written to; it is sent all the same. */
    private static void unlessReadOnly(Runnable write) {
        try {
            write.run();
        } catch (UnsupportedOperationException readOnly) {
            LOG.debug("Cannot write to a request", readOnly);
        }
    }

    private @Nullable Instance instance(HttpRequest request, ServiceInstance server) {
        // Spring takes the service's id from the host, too.
        String service = request.getURI().getHost();
        ServiceFleet fleet = service == null ? null : fleets.find(service);
        return fleet == null ? null : fleet.find(server);
    }

    private final class CountedRequest implements HttpRequestLoadBalancerRequest<ClientHttpResponse>, Asking {

        private final HttpRequest request;
        private final Passage passage;
        private final LoadBalancerRequest<ClientHttpResponse> delegate;
        private final Supplier<LoadBalancerRequest<ClientHttpResponse>> again;
        private boolean asked;

        CountedRequest(
                HttpRequest request,
                Passage passage,
                LoadBalancerRequest<ClientHttpResponse> delegate,
                Supplier<LoadBalancerRequest<ClientHttpResponse>> again) {
            this.request = request;
            this.passage = passage;
            this.delegate = delegate;
            this.again = again;
        }

        @Override
        public HttpRequest getHttpRequest() {
            return request;
        }

        @Override
        public void ask() {
            if (!asked) {
                asked = true;
                passage.ask();
                unlessReadOnly(() -> passage.write(request.getHeaders()::set));
            }
        }

        @Override
        public void settle() {
            passage.settle();
        }

        @Override
        public ClientHttpResponse apply(ServiceInstance server) throws Exception {
            ask(); // Spring's retry and load balancers of the user's own choose without asking.
            Instance instance = instance(request, server);
            Hedge hedge = seconds.hedge(request, passage, instance);
            if (hedge == null) {
                return attempt(server, instance, delegate, passage, () -> false);
            }
            return seconds.run(
                    hedge,
                    lost -> attempt(server, instance, delegate, passage, lost),
                    lost -> second(instance, passage.beside(), lost));
        }

        private ClientHttpResponse second(@Nullable Instance first, Passage beside, BooleanSupplier lost)
                throws Exception {
            beside.ask();
            try {
                ServiceInstance server = seconds.choose(request, first);
                return attempt(server, instance(request, server), again.get(), beside, lost);
            } finally {
                beside.settle();
            }
        }

        private ClientHttpResponse attempt(
                ServiceInstance server,
                @Nullable Instance instance,
                LoadBalancerRequest<ClientHttpResponse> sending,
                Passage its,
                BooleanSupplier lost)
                throws Exception {
            Attempt attempt = its.current();
            its.sentTo(instance);
            Flight flight = instance == null ? null : flights.start(instance);
            boolean handedOut = false;
            try {
                ClientHttpResponse response = sending.apply(server);
                answered(response, flight, its);
                handedOut = true;
                return new CountedResponse(response, flight, attempt);
            } catch (Exception e) {
                if (flight != null) {
                    if (lost.getAsBoolean()) {
                        flight.cancelled();
                    } else {
                        flight.failed(e);
                    }
                }
                throw e;
            } finally {
                if (!handedOut) {
                    its.end();
                    if (flight != null) {
                        flight.end();
                    }
                }
            }
        }

        private void answered(ClientHttpResponse response, @Nullable Flight flight, Passage its) throws IOException {
            HttpHeaders headers = response.getHeaders();
            its.answered(response.getStatusCode(), headers);
            if (flight != null) {
                flight.reported(headers.getFirst(LoadReport.HEADER), headers.getFirst(LoadWord.HEADER));
                flight.answered(
                        response.getStatusCode().value(),
                        headers.getFirst(HttpHeaders.RETRY_AFTER),
                        headers.getFirst(HttpHeaders.CONTENT_TYPE),
                        headers.getContentLength());
            }
        }
    }
}

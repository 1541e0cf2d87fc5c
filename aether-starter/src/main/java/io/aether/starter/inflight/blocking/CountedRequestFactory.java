// SPDX-License-Identifier: Apache-2.0
package io.aether.starter.inflight.blocking;

import io.aether.core.pick.Instance;
import io.aether.starter.balancer.ServiceFleet;
import io.aether.starter.balancer.ServiceFleets;
import io.aether.starter.inflight.Flight;
import io.aether.starter.inflight.Flights;
import java.util.List;
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
 * its response is closed. It takes the place of Spring's bean.
 */
public final class CountedRequestFactory extends LoadBalancerRequestFactory {

    private final ServiceFleets fleets;
    private final Flights flights;

    /** Creates the factory. */
    public CountedRequestFactory(
            LoadBalancerClient client,
            List<LoadBalancerRequestTransformer> transformers,
            ServiceFleets fleets,
            Flights flights) {
        super(client, transformers);
        this.fleets = fleets;
        this.flights = flights;
    }

    @Override
    public LoadBalancerRequest<ClientHttpResponse> createRequest(
            HttpRequest request, byte[] body, ClientHttpRequestExecution execution) {
        return new CountedRequest(request, super.createRequest(request, body, execution));
    }

    private @Nullable Instance instance(HttpRequest request, ServiceInstance server) {
        // Spring takes the service's id from the host, too.
        String service = request.getURI().getHost();
        ServiceFleet fleet = service == null ? null : fleets.find(service);
        return fleet == null ? null : fleet.find(server);
    }

    private final class CountedRequest implements HttpRequestLoadBalancerRequest<ClientHttpResponse> {

        private final HttpRequest request;
        private final LoadBalancerRequest<ClientHttpResponse> delegate;

        CountedRequest(HttpRequest request, LoadBalancerRequest<ClientHttpResponse> delegate) {
            this.request = request;
            this.delegate = delegate;
        }

        @Override
        public HttpRequest getHttpRequest() {
            return request;
        }

        @Override
        public ClientHttpResponse apply(ServiceInstance server) throws Exception {
            Instance instance = instance(request, server);
            if (instance == null) {
                return delegate.apply(server);
            }
            Flight flight = flights.start(instance);
            boolean handedOut = false;
            try {
                ClientHttpResponse response = delegate.apply(server);
                HttpHeaders headers = response.getHeaders();
                flight.answered(
                        response.getStatusCode().value(),
                        headers.getFirst(HttpHeaders.RETRY_AFTER),
                        headers.getFirst(HttpHeaders.CONTENT_TYPE),
                        headers.getContentLength());
                handedOut = true;
                return new CountedResponse(response, flight);
            } catch (Exception e) {
                flight.failed(e);
                throw e;
            } finally {
                if (!handedOut) {
                    flight.end();
                }
            }
        }
    }
}

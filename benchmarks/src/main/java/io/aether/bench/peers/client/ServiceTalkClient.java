// SPDX-License-Identifier: Apache-2.0
package io.aether.bench.peers.client;

import io.servicetalk.client.api.DefaultServiceDiscovererEvent;
import io.servicetalk.client.api.ServiceDiscoverer;
import io.servicetalk.client.api.ServiceDiscovererEvent;
import io.servicetalk.concurrent.api.AsyncCloseables;
import io.servicetalk.concurrent.api.Completable;
import io.servicetalk.concurrent.api.ListenableAsyncCloseable;
import io.servicetalk.concurrent.api.Publisher;
import io.servicetalk.http.api.DefaultHttpLoadBalancerFactory;
import io.servicetalk.http.api.FilterableStreamingHttpLoadBalancedConnection;
import io.servicetalk.http.api.HttpClient;
import io.servicetalk.http.netty.HttpClients;
import io.servicetalk.http.utils.TimeoutHttpRequesterFilter;
import io.servicetalk.loadbalancer.LoadBalancers;
import io.servicetalk.loadbalancer.LoadBalancingPolicy;
import io.servicetalk.loadbalancer.OutlierDetectorConfig;
import io.servicetalk.transport.api.HostAndPort;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Collection;
import java.util.List;

/** ServiceTalk's own HTTP client, with outlier detection as it comes. */
final class ServiceTalkClient implements Client {
    private final HttpClient client;

    ServiceTalkClient(
            List<InetSocketAddress> servers,
            LoadBalancingPolicy<InetSocketAddress, FilterableStreamingHttpLoadBalancedConnection> policy,
            int number) {
        client = HttpClients.forSingleAddress(new Servers(servers), HostAndPort.of("service", 80))
                .loadBalancerFactory(new DefaultHttpLoadBalancerFactory<>(
                        LoadBalancers.<InetSocketAddress, FilterableStreamingHttpLoadBalancedConnection>builder(
                                        "client-" + number)
                                .loadBalancingPolicy(policy)
                                .outlierDetectorConfig(new OutlierDetectorConfig.Builder().build())
                                .build()))
                .appendClientFilter(new TimeoutHttpRequesterFilter(Duration.ofMillis(TIMEOUT_MILLIS), true))
                .build();
    }

    @Override
    public void send(End end) {
        var unused = client.request(client.get("/")).toCompletionStage().whenComplete((answer, failure) -> {
            if (failure == null) {
                end.answered(answer.status().code());
            } else {
                end.failed();
            }
        });
    }

    /** A list that never changes. */
    private static final class Servers
            implements ServiceDiscoverer<HostAndPort, InetSocketAddress, ServiceDiscovererEvent<InetSocketAddress>> {
        private final ListenableAsyncCloseable closeable = AsyncCloseables.emptyAsyncCloseable();
        private final List<ServiceDiscovererEvent<InetSocketAddress>> events;

        Servers(List<InetSocketAddress> servers) {
            events = servers.stream()
                    .<ServiceDiscovererEvent<InetSocketAddress>>map(server ->
                            new DefaultServiceDiscovererEvent<>(server, ServiceDiscovererEvent.Status.AVAILABLE))
                    .toList();
        }

        @Override
        public Publisher<Collection<ServiceDiscovererEvent<InetSocketAddress>>> discover(HostAndPort address) {
            Collection<ServiceDiscovererEvent<InetSocketAddress>> all = events;
            return Publisher.from(all).concat(Publisher.never());
        }

        @Override
        public Completable onClose() {
            return closeable.onClose();
        }

        @Override
        public Completable closeAsync() {
            return closeable.closeAsync();
        }
    }
}

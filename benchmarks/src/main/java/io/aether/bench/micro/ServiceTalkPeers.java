// SPDX-License-Identifier: Apache-2.0
package io.aether.bench.micro;

import io.servicetalk.client.api.ConnectionFactory;
import io.servicetalk.client.api.DefaultServiceDiscovererEvent;
import io.servicetalk.client.api.LoadBalancedConnection;
import io.servicetalk.client.api.LoadBalancer;
import io.servicetalk.client.api.ServiceDiscovererEvent;
import io.servicetalk.concurrent.api.AsyncCloseables;
import io.servicetalk.concurrent.api.Completable;
import io.servicetalk.concurrent.api.ListenableAsyncCloseable;
import io.servicetalk.concurrent.api.Publisher;
import io.servicetalk.concurrent.api.Single;
import io.servicetalk.context.api.ContextMap;
import io.servicetalk.loadbalancer.LoadBalancers;
import io.servicetalk.loadbalancer.LoadBalancingPolicies;
import io.servicetalk.transport.api.TransportObserver;
import java.net.InetSocketAddress;
import java.util.Collection;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** ServiceTalk's balancer over connections that take any number of requests. */
final class ServiceTalkPeers {
    /** Until each has its connection. */
    private static final int FIRST_PICKS = 50;

    private ServiceTalkPeers() {}

    static LoadBalancer<Connection> balancer(int size) throws Exception {
        Collection<ServiceDiscovererEvent<InetSocketAddress>> all = IntStream.range(0, size)
                .<ServiceDiscovererEvent<InetSocketAddress>>mapToObj(i -> new DefaultServiceDiscovererEvent<>(
                        InetSocketAddress.createUnresolved(LiveTable.HOST, LiveTable.FIRST_PORT + i),
                        ServiceDiscovererEvent.Status.AVAILABLE))
                .toList();
        LoadBalancer<Connection> balancer = LoadBalancers.<InetSocketAddress, Connection>builder("service")
                .loadBalancingPolicy(LoadBalancingPolicies.p2c().build())
                .build()
                .newLoadBalancer(Publisher.from(all).concat(Publisher.never()), new Connections(), "service");
        for (int i = 0; i < FIRST_PICKS * size; i++) {
            balancer.selectConnection(connection -> true, null).toFuture().get();
        }
        return balancer;
    }

    private static final class Connections extends Closeable
            implements ConnectionFactory<InetSocketAddress, Connection> {
        @Override
        public Single<Connection> newConnection(
                InetSocketAddress address, @Nullable ContextMap context, @Nullable TransportObserver observer) {
            return Single.succeeded(new Connection());
        }
    }

    /** Only looked at. */
    static final class Connection extends Closeable implements LoadBalancedConnection {
        @Override
        public int score() {
            return 1;
        }

        @Override
        public boolean tryReserve() {
            return true;
        }

        @Override
        public Result tryRequest() {
            return Result.Accepted;
        }

        @Override
        public void requestFinished() {}

        @Override
        public Completable releaseAsync() {
            return Completable.completed();
        }
    }

    abstract static class Closeable implements ListenableAsyncCloseable {
        private final ListenableAsyncCloseable closeable = AsyncCloseables.emptyAsyncCloseable();

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

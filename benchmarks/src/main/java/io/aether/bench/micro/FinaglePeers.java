// SPDX-License-Identifier: Apache-2.0
package io.aether.bench.micro;

import com.twitter.finagle.Address;
import com.twitter.finagle.Addresses;
import com.twitter.finagle.ClientConnection;
import com.twitter.finagle.NoBrokersAvailableException;
import com.twitter.finagle.Service;
import com.twitter.finagle.ServiceFactory;
import com.twitter.finagle.Stack;
import com.twitter.finagle.Status;
import com.twitter.finagle.loadbalancer.Balancers;
import com.twitter.finagle.loadbalancer.EndpointFactory;
import com.twitter.finagle.util.Rng;
import com.twitter.util.Activity;
import com.twitter.util.Duration;
import com.twitter.util.Future;
import com.twitter.util.Time;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.stream.IntStream;
import scala.collection.immutable.IndexedSeq;
import scala.jdk.javaapi.CollectionConverters;

/** Finagle's balancer over endpoints that are always there. */
final class FinaglePeers {
    private static final int DECAY_SECONDS = 10;

    private FinaglePeers() {}

    static ServiceFactory<Integer, Integer> balancer(int size) {
        List<EndpointFactory<Integer, Integer>> endpoints = IntStream.range(0, size)
                .<EndpointFactory<Integer, Integer>>mapToObj(Endpoint::new)
                .toList();
        IndexedSeq<EndpointFactory<Integer, Integer>> all =
                CollectionConverters.asScala(endpoints).toIndexedSeq();
        return Balancers.p2cPeakEwma(Duration.fromSeconds(DECAY_SECONDS), Rng.threadLocal())
                .newBalancer(
                        Activity.value(all), new NoBrokersAvailableException("service"), Stack.Params$.MODULE$.empty());
    }

    private static final class Endpoint extends ServiceFactory<Integer, Integer>
            implements EndpointFactory<Integer, Integer> {
        private final Address address;
        private final Future<Service<Integer, Integer>> service =
                Future.value(Service.mk(request -> Future.value(request)));

        Endpoint(int index) {
            address = Addresses.newInetAddress(
                    InetSocketAddress.createUnresolved(LiveTable.HOST, LiveTable.FIRST_PORT + index));
        }

        @Override
        public Future<Service<Integer, Integer>> apply(ClientConnection connection) {
            return service;
        }

        @Override
        public Address address() {
            return address;
        }

        @Override
        public void remake() {}

        @Override
        public Status status() {
            return Status.Open$.MODULE$;
        }

        @Override
        public Future<scala.runtime.BoxedUnit> close(Time deadline) {
            return Future.Done();
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.aether.bench.micro;

import io.aether.core.NanoClock;
import io.aether.core.pick.Fleet;
import io.aether.core.pick.Instance;
import io.aether.core.pick.PickSettings;
import io.aether.core.pick.Signals;
import io.aether.core.table.EndpointAddress;
import io.aether.core.table.EndpointHealth;
import io.aether.core.table.HealthTable;
import io.aether.core.table.TableLayout;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.cloud.client.DefaultServiceInstance;
import org.springframework.cloud.client.ServiceInstance;
import org.springframework.cloud.client.loadbalancer.DefaultRequest;
import org.springframework.cloud.client.loadbalancer.Request;
import org.springframework.cloud.client.loadbalancer.Response;
import org.springframework.cloud.loadbalancer.core.RandomLoadBalancer;
import org.springframework.cloud.loadbalancer.core.ReactorServiceInstanceLoadBalancer;
import org.springframework.cloud.loadbalancer.core.RoundRobinLoadBalancer;
import org.springframework.cloud.loadbalancer.core.ServiceInstanceListSupplier;
import org.springframework.cloud.loadbalancer.support.ServiceInstanceListSuppliers;

/** Costs on the request path: reading a slot, and picking, against Spring's own balancers in the same run. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@SuppressWarnings("NullAway.Init") // JMH calls the set-up methods.
public class MicroBenchmarks {

    /** One endpoint of a live table. */
    @State(Scope.Benchmark)
    public static class Table {
        private final EndpointAddress address = LiveTable.address(7);
        private final EndpointHealth health = new EndpointHealth();
        private LiveTable live;
        private HealthTable table;
        private int slot;

        @Setup
        public void open() throws Exception {
            live = new LiveTable(100);
            table = HealthTable.open(live.file(), NanoClock.system());
            slot = table.find(LiveTable.NETNS, address.hi(), address.lo(), address.port(), TableLayout.KIND_PEER);
        }

        @TearDown
        public void close() throws Exception {
            table.close();
            live.close();
        }
    }

    /** A fleet that has answered requests, on kernel signals from a live table. */
    @State(Scope.Benchmark)
    public static class Aether {
        @Param({"3", "10", "100", "10000"})
        private int size;

        private LiveFleet live;
        Fleet fleet;

        @Setup
        public void open() throws Exception {
            live = new LiveFleet(size, PickSettings.defaults());
            fleet = live.fleet();
        }

        @TearDown
        public void close() throws Exception {
            live.close();
        }
    }

    /** The same, whose servers tell how busy they are. */
    @State(Scope.Benchmark)
    public static class Told extends Aether {
        @Setup
        public void tell() {
            Fleets.tell(fleet);
        }
    }

    /** Spring's balancers over a list that never changes. */
    @State(Scope.Benchmark)
    public static class Spring {
        @Param({"3", "10", "100"})
        private int size;

        private final Request<?> request = new DefaultRequest<>();
        private ReactorServiceInstanceLoadBalancer roundRobin;
        private ReactorServiceInstanceLoadBalancer random;

        @Setup
        public void open() {
            List<ServiceInstance> instances = IntStream.range(0, size)
                    .<ServiceInstance>mapToObj(i -> new DefaultServiceInstance(
                            "i" + i, "service", LiveTable.HOST, LiveTable.FIRST_PORT + i, false))
                    .toList();
            ServiceInstanceListSupplier supplier =
                    ServiceInstanceListSuppliers.from("service", instances.toArray(ServiceInstance[]::new));
            ObjectProvider<ServiceInstanceListSupplier> provider = new Fixed(supplier);
            roundRobin = new RoundRobinLoadBalancer(provider, "service");
            random = new RandomLoadBalancer(provider, "service");
        }

        private record Fixed(ServiceInstanceListSupplier supplier)
                implements ObjectProvider<ServiceInstanceListSupplier> {
            @Override
            public ServiceInstanceListSupplier getObject() {
                return supplier;
            }

            @Override
            public ServiceInstanceListSupplier getIfAvailable() {
                return supplier;
            }
        }
    }

    @Benchmark
    public boolean tableRead(Table state) {
        EndpointAddress address = state.address;
        return state.table.read(
                state.slot,
                LiveTable.NETNS,
                address.hi(),
                address.lo(),
                address.port(),
                TableLayout.KIND_PEER,
                state.health);
    }

    @Benchmark
    public @Nullable Instance pickAether(Aether state) {
        return state.fleet.pick(Signals.KERNEL);
    }

    @Benchmark
    public @Nullable Instance pickApplication(Aether state) {
        return state.fleet.pick(Signals.APPLICATION);
    }

    @Benchmark
    public @Nullable Instance pickTold(Told state) {
        return state.fleet.pick(Signals.KERNEL);
    }

    @Benchmark
    public @Nullable Response<ServiceInstance> pickRoundRobin(Spring state) {
        return state.roundRobin.choose(state.request).block();
    }

    @Benchmark
    public @Nullable Response<ServiceInstance> pickRandom(Spring state) {
        return state.random.choose(state.request).block();
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.aether.bench.micro;

import com.twitter.finagle.Service;
import com.twitter.finagle.ServiceFactory;
import com.twitter.util.Await;
import io.aether.bench.peers.client.DubboProvider;
import io.aether.core.pick.Fleet;
import io.aether.core.pick.Instance;
import io.aether.core.pick.Outcome;
import io.aether.core.pick.PickSettings;
import io.aether.core.pick.Signals;
import io.servicetalk.client.api.LoadBalancer;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.apache.dubbo.common.URL;
import org.apache.dubbo.rpc.Invoker;
import org.apache.dubbo.rpc.RpcInvocation;
import org.apache.dubbo.rpc.cluster.loadbalance.AdaptiveLoadBalance;
import org.apache.dubbo.rpc.model.ApplicationModel;
import org.apache.dubbo.rpc.model.FrameworkModel;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * Aether with two candidates beside its peers, which have two as well. Theirs count the request with the pick, so ours does here,
 * and its end too where a peer's is told of that.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@SuppressWarnings("NullAway.Init") // JMH calls the set-up methods.
public class PeerBenchmarks {

    /** Aether on kernel signals from a live table. */
    @State(Scope.Benchmark)
    public static class Two {
        @Param({"3", "10", "100"})
        private int size;

        private LiveFleet live;
        private Fleet fleet;

        @Setup
        public void open() throws Exception {
            live = new LiveFleet(size, PickSettings.defaults().withMaxCandidates(2));
            fleet = live.fleet();
        }

        @TearDown
        public void close() throws Exception {
            live.close();
        }
    }

    /** Finagle's P2C on peak EWMA. */
    @State(Scope.Benchmark)
    public static class Finagle {
        @Param({"3", "10", "100"})
        private int size;

        private ServiceFactory<Integer, Integer> balancer;

        @Setup
        public void open() {
            balancer = FinaglePeers.balancer(size);
        }
    }

    /** ServiceTalk's P2C over hosts with one connection each. */
    @State(Scope.Benchmark)
    public static class ServiceTalk {
        @Param({"3", "10", "100"})
        private int size;

        private LoadBalancer<ServiceTalkPeers.Connection> balancer;

        @Setup
        public void open() throws Exception {
            balancer = ServiceTalkPeers.balancer(size);
        }
    }

    /** Dubbo's adaptive balancer. An invocation is made for each call anyway, so that is not part of the pick. */
    @State(Scope.Thread)
    public static class Dubbo {
        @Param({"3", "10", "100"})
        private int size;

        private final URL consumer = URL.valueOf("consumer://127.0.0.1/service");
        private final RpcInvocation invocation = DubboProvider.call();
        private AdaptiveLoadBalance balancer;
        private List<Invoker<Object>> invokers;

        @Setup
        public void open() {
            ApplicationModel application = new FrameworkModel().newApplication();
            balancer = new AdaptiveLoadBalance(application);
            invokers = IntStream.range(0, size)
                    .<Invoker<Object>>mapToObj(i -> new DubboProvider(
                            i, InetSocketAddress.createUnresolved(LiveTable.HOST, LiveTable.FIRST_PORT + i)))
                    .toList();
        }
    }

    @Benchmark
    public Instance pickTwo(Two state) {
        Instance instance = Objects.requireNonNull(state.fleet.pick(Signals.KERNEL));
        long start = instance.start();
        instance.firstByte(start, Outcome.SUCCESS);
        instance.end();
        return instance;
    }

    @Benchmark
    public Service<Integer, Integer> pickFinagle(Finagle state) throws Exception {
        Service<Integer, Integer> service = Await.result(state.balancer.apply());
        service.close();
        return service;
    }

    @Benchmark
    public ServiceTalkPeers.Connection pickServiceTalk(ServiceTalk state) throws Exception {
        return state.balancer
                .selectConnection(connection -> true, null)
                .toFuture()
                .get();
    }

    @Benchmark
    public Invoker<Object> pickDubbo(Dubbo state) {
        state.invocation.getAttributes().clear();
        return state.balancer.select(state.invokers, state.consumer, state.invocation);
    }
}

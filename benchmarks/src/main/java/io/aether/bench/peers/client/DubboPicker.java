// SPDX-License-Identifier: Apache-2.0
package io.aether.bench.peers.client;

import java.lang.management.ManagementFactory;
import java.lang.management.OperatingSystemMXBean;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;
import org.apache.dubbo.common.URL;
import org.apache.dubbo.rpc.AdaptiveMetrics;
import org.apache.dubbo.rpc.Constants;
import org.apache.dubbo.rpc.Invoker;
import org.apache.dubbo.rpc.RpcInvocation;
import org.apache.dubbo.rpc.cluster.loadbalance.AdaptiveLoadBalance;
import org.apache.dubbo.rpc.model.ApplicationModel;
import org.apache.dubbo.rpc.model.FrameworkModel;

/**
 * Dubbo's {@code adaptive} load balancer without the rest of Dubbo: what its consumer filter tells it of answers is told here.
 * Providers would send the load of their machine along, which here is the client's machine too.
 */
final class DubboPicker implements Picker {
    /** How long the load of the machine is taken as it was: the kernel renews it every 5 s. */
    private static final long LOAD_NANOS = 1_000_000_000L;

    private final OperatingSystemMXBean machine = ManagementFactory.getOperatingSystemMXBean();
    private final AdaptiveLoadBalance balancer;
    private final AdaptiveMetrics metrics;
    private final List<Invoker<Object>> invokers;
    private final URL consumer = URL.valueOf("consumer://127.0.0.1/service");
    private volatile String load = "0";
    private volatile long loadTime = System.nanoTime() - LOAD_NANOS;

    DubboPicker(List<InetSocketAddress> servers) {
        ApplicationModel application = new FrameworkModel().newApplication();
        metrics = application.getBeanFactory().getOrRegisterBean(AdaptiveMetrics.class);
        balancer = new AdaptiveLoadBalance(application);
        invokers = IntStream.range(0, servers.size())
                .<Invoker<Object>>mapToObj(i -> new DubboProvider(i, servers.get(i)))
                .toList();
    }

    @Override
    public Pick pick(int not) {
        List<Invoker<Object>> candidates = not == NOBODY
                ? invokers
                : invokers.stream().filter(one -> place(one) != not).toList();
        RpcInvocation invocation = DubboProvider.call();
        Invoker<Object> chosen = balancer.select(candidates, consumer, invocation);
        return new Chosen(chosen, invocation);
    }

    private static int place(Invoker<?> invoker) {
        return ((DubboProvider) invoker).place();
    }

    private String load() {
        long now = System.nanoTime();
        if (now - loadTime >= LOAD_NANOS) {
            loadTime = now;
            load = Double.toString(machine.getSystemLoadAverage() * 100 / machine.getAvailableProcessors());
        }
        return load;
    }

    /** What the balancer noted of its choice. */
    private static Object attribute(RpcInvocation invocation, Object key) {
        return Objects.requireNonNull(invocation.getAttributes().get(key), "not chosen by this balancer");
    }

    private final class Chosen implements Pick {
        private final Invoker<Object> invoker;
        private final String key;
        private final long started;

        Chosen(Invoker<Object> invoker, RpcInvocation invocation) {
            this.invoker = invoker;
            this.key = (String) attribute(invocation, invoker);
            this.started = (Long) attribute(invocation, Constants.ADAPTIVE_LOADBALANCE_START_TIME);
        }

        @Override
        public int server() {
            return place(invoker);
        }

        @Override
        public void answered(int status) {
            if (Picker.wrong(status)) {
                metrics.addErrorReq(key);
                return;
            }
            long now = System.currentTimeMillis();
            metrics.addConsumerSuccess(key);
            metrics.setProviderMetrics(
                    key, Map.of("curTime", Long.toString(now), "load", load(), "rt", Long.toString(now - started)));
        }

        @Override
        public void failed(boolean refused) {
            metrics.addErrorReq(key);
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.aether.bench.peers.client;

import com.twitter.finagle.loadbalancer.Balancers;
import com.twitter.finagle.util.Rng;
import io.aether.bench.peers.Policy;
import io.aether.core.NanoClock;
import io.aether.core.pick.KernelView;
import io.aether.core.pick.Resolver;
import io.aether.core.pick.Signals;
import io.aether.core.table.NetworkNamespace;
import io.aether.core.table.TableSource;
import io.servicetalk.loadbalancer.LoadBalancingPolicies;
import java.net.InetSocketAddress;
import java.net.http.HttpClient;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

/** Makes the clients of a process, all of one policy. */
final class Clients {
    /** Each gets an eighth of the requests, and learns from no other. */
    private static final int COUNT = 8;

    /** The default of Finagle's {@code Balancers}, which Java cannot leave out. */
    private static final int EWMA_SECONDS = 10;

    private static final long REFRESH_MILLIS = 100;

    private final List<InetSocketAddress> servers;

    /** @param servers of a proxy that one alone */
    Clients(List<InetSocketAddress> servers) {
        this.servers = servers;
    }

    /** @param table the agent's; only read on kernel signals */
    List<Client> of(Policy policy, Path table) {
        IntFunction<Client> maker = switch (policy) {
            case FINAGLE -> number -> finagle(number, false);
            case FINAGLE_EWMA -> number -> finagle(number, true);
            case SERVICETALK ->
                number -> new ServiceTalkClient(
                        servers, LoadBalancingPolicies.roundRobin().build(), number);
            case SERVICETALK_P2C ->
                number -> new ServiceTalkClient(
                        servers, LoadBalancingPolicies.p2c().build(), number);
            case STORK -> picking(number -> new StorkPicker(servers));
            case DUBBO_ADAPTIVE -> picking(number -> new DubboPicker(servers));
            case AETHER_APPLICATION ->
                picking(number -> new AetherPicker(servers, KernelView.NONE, Signals.APPLICATION));
            case AETHER_KERNEL -> {
                KernelView view = view(table);
                yield picking(number -> new AetherPicker(servers, view, Signals.KERNEL));
            }
            // Before a proxy there is nothing to choose from.
            case ROUND_ROBIN, HAPROXY, NGINX -> picking(number -> new SpringPicker(servers));
        };
        return IntStream.range(0, COUNT).mapToObj(maker).toList();
    }

    private IntFunction<Client> picking(IntFunction<Picker> pickers) {
        HttpClient http = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .connectTimeout(Duration.ofMillis(Client.CONNECT_MILLIS))
                .build();
        return number -> new PickingClient(http, pickers.apply(number), servers);
    }

    private Client finagle(int number, boolean ewma) {
        return new FinagleClient(
                servers,
                ewma
                        ? Balancers.p2cPeakEwma(com.twitter.util.Duration.fromSeconds(EWMA_SECONDS), Rng.threadLocal())
                        : Balancers.p2c(Rng.threadLocal()),
                number);
    }

    /** What the agent knows, looked after as the starter does. */
    private static KernelView view(Path table) {
        TableSource source = new TableSource(table, NanoClock.system(), NetworkNamespace.inodeOfSelf());
        source.refresh();
        ScheduledExecutorService keeper = Executors.newSingleThreadScheduledExecutor(task -> {
            Thread thread = new Thread(task, "table");
            thread.setDaemon(true);
            return thread;
        });
        var unused =
                keeper.scheduleWithFixedDelay(source::refresh, REFRESH_MILLIS, REFRESH_MILLIS, TimeUnit.MILLISECONDS);
        return KernelView.of(source, Resolver.LITERALS_ONLY);
    }
}

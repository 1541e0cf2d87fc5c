// SPDX-License-Identifier: Apache-2.0
package io.aether.bench.micro;

import io.aether.core.NanoClock;
import io.aether.core.limit.LimitSettings;
import io.aether.core.limit.Priority;
import io.aether.starter.context.IgnoredHeaders;
import io.aether.starter.context.RequestContext;
import io.aether.starter.limit.BranchLimits;
import io.aether.starter.limit.LimitSwitches;
import io.aether.starter.limit.Passage;
import io.aether.starter.server.Arrivals;
import io.aether.starter.server.CpuQueue;
import io.aether.starter.server.HandlerPriorities;
import io.aether.starter.server.OwnQueue;
import io.aether.starter.server.ServerEntry;
import io.aether.starter.server.ServerGate;
import io.aether.starter.server.ServerLoad;
import io.aether.starter.server.ServerRequest;
import io.aether.starter.server.Users;
import io.github.resilience4j.ratelimiter.RateLimiterRegistry;
import java.net.URI;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.server.PathContainer;

/**
 * What the starter's filters do for one request, without Spring's own work around them: a client's call from its question to the
 * end of its answer, and a server's request from its arrival to its end, with the three headers of its context.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class FilterBenchmarks {

    /** A client and a server; nothing is limited, nothing queues: the usual case. */
    @State(Scope.Benchmark)
    public static class Ends {
        private final NanoClock clock = NanoClock.system();
        private final IgnoredHeaders ignored = new IgnoredHeaders();
        private final BranchLimits limits = new BranchLimits(
                new LimitSwitches(io.aether.core.pick.Mode.ON, Map.of()),
                Map.of(),
                RateLimiterRegistry.ofDefaults(),
                LimitSettings.defaults().withGrace(Duration.ofMinutes(10)),
                clock,
                BranchLimits.Marks.NONE,
                ignored);
        private final URI url = URI.create("http://shop/orders");
        private final HttpHeaders answer = new HttpHeaders();
        private final PathContainer path = PathContainer.parsePath("/orders");
        private final ServerEntry entry = entry();

        private ServerEntry entry() {
            ServerLoad load = new ServerLoad();
            OwnQueue queue = new OwnQueue(load, new CpuQueue(load, () -> 0, () -> 0, 2), clock);
            Arrivals.Settings settings = new Arrivals.Settings(true, Priority.CRITICAL, 0, List.of(), List.of());
            Arrivals arrivals =
                    new Arrivals(settings, new HandlerPriorities(), new Users(InstantSource.system(), null), ignored);
            return new ServerEntry(
                    load,
                    queue,
                    new ServerGate(load, io.aether.core.pick.Mode.ON, 200e6),
                    arrivals,
                    () -> null,
                    true,
                    clock);
        }

        /** Of a request. */
        private static @Nullable String header(String name) {
            return switch (name) {
                case "X-Aether-Priority" -> "degraded";
                case "X-Aether-Deadline" -> "1500";
                case "X-Aether-User" -> "4711";
                default -> null;
            };
        }
    }

    @Benchmark
    public Passage client(Ends ends) {
        Passage passage = ends.limits.call(ends.url, RequestContext.NONE);
        passage.ask();
        passage.answered(HttpStatus.OK, ends.answer);
        passage.end();
        return passage;
    }

    @Benchmark
    public @Nullable String server(Ends ends) {
        RequestContext context = ends.entry.arrive("GET", Ends::header, () -> ends.path);
        ServerRequest request = (ServerRequest) context.work();
        ends.entry.judge(context, request, null);
        request.begin();
        String pressure = ends.entry.pressure(request);
        request.end(true);
        return pressure;
    }
}

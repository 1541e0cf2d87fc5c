// SPDX-License-Identifier: Apache-2.0
package io.aether.bench.micro;

import io.aether.core.NanoClock;
import io.aether.core.limit.LimitSettings;
import io.aether.core.pick.Instance;
import io.aether.core.pick.PickSettings;
import io.aether.core.pick.Signals;
import io.aether.starter.context.IgnoredHeaders;
import io.aether.starter.context.RequestContext;
import io.aether.starter.limit.BranchLimits;
import io.aether.starter.limit.Destination;
import io.aether.starter.limit.LimitSwitches;
import io.aether.starter.limit.Passage;
import io.aether.starter.observation.CallObservationFilter;
import io.github.resilience4j.ratelimiter.RateLimiterRegistry;
import io.micrometer.observation.Observation;
import java.io.IOException;
import java.net.URI;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * What it costs each attempt that observations tell of it: its instance's class when it is sent, and the keys when its observation
 * ends.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class ObservationBenchmarks {
    private static final int INSTANCES = 10;

    /** A call to one of ten instances of which the kernel tells. */
    @State(Scope.Benchmark)
    public static class Call {
        private final BranchLimits limits = new BranchLimits(
                new LimitSwitches(io.aether.core.pick.Mode.ON, Map.of()),
                Map.of(),
                RateLimiterRegistry.ofDefaults(),
                LimitSettings.defaults(),
                NanoClock.system(),
                BranchLimits.Marks.NONE,
                new IgnoredHeaders());
        private final Passage passage = limits.call(URI.create("http://shop/orders"), RequestContext.NONE);
        private final CallObservationFilter<Observation.Context> filter =
                new CallObservationFilter<>(Observation.Context.class, context -> passage);
        private final Observation.Context context = new Observation.Context();
        private @Nullable LiveFleet fleet;
        private @Nullable Instance instance;

        @Setup
        public void open() throws IOException {
            LiveFleet live = new LiveFleet(INSTANCES, PickSettings.defaults());
            fleet = live;
            instance = live.fleet().instances().get(0);
            limits.note(one -> live.fleet().classOf(one, Signals.KERNEL));
            passage.sentTo(instance);
        }

        @TearDown
        public void close() throws IOException {
            if (fleet != null) {
                fleet.close();
            }
        }
    }

    @Benchmark
    public @Nullable Destination observeClass(Call call) {
        call.passage.sentTo(call.instance);
        return call.passage.destination();
    }

    @Benchmark
    public Observation.Context observeKeys(Call call) {
        return call.filter.map(call.context);
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.aether.bench.micro;

import io.aether.core.pick.Fleet;
import io.aether.core.pick.Instance;
import io.aether.core.pick.InstanceKey;
import io.aether.core.pick.KernelView;
import io.aether.core.pick.PickSettings;
import io.aether.core.pick.Signals;
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

/** Large clients: the registry's list read again, off the request path, and picks among many services in turn. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@SuppressWarnings("NullAway.Init") // JMH calls the set-up methods.
public class ScaleBenchmarks {

    /** A fleet whose registry says the same again. */
    @State(Scope.Benchmark)
    public static class Registry {
        @Param({"1000", "10000"})
        private int size;

        private Fleet fleet;
        private List<InstanceKey> keys;

        @Setup
        public void list() {
            fleet = Fleets.fleet(size, PickSettings.defaults(), KernelView.NONE);
            keys = Fleets.keys(size);
        }
    }

    /** A thousand services of three instances. */
    @State(Scope.Thread)
    public static class Services {
        private static final int COUNT = 1000;
        private Fleet[] fleets;
        private int next;

        @Setup
        public void list() {
            fleets = IntStream.range(0, COUNT)
                    .mapToObj(i -> Fleets.fleet(3, PickSettings.defaults(), KernelView.NONE))
                    .toArray(Fleet[]::new);
        }
    }

    @Benchmark
    public void refresh(Registry state) {
        state.fleet.update(state.keys);
    }

    @Benchmark
    public @Nullable Instance pickService(Services state) {
        state.next = state.next + 1 == Services.COUNT ? 0 : state.next + 1;
        return state.fleets[state.next].pick(Signals.APPLICATION);
    }
}

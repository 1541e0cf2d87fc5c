// SPDX-License-Identifier: Apache-2.0
package io.aether.bench.micro;

import io.aether.core.limit.BranchLimiter;
import io.aether.core.limit.LimitSettings;
import io.aether.core.limit.PeerMarks;
import io.aether.core.limit.Priority;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** What a limited branch costs on the request path: to ask, to be held back, to report, and to judge a window. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@SuppressWarnings("NullAway.Init") // JMH calls the set-up methods.
public class LimiterBenchmarks {
    private static final long WINDOW_NANOS = 50_000_000L;

    /**
     * A limited branch whose clock runs a thousand times as fast, so that a limit of a million a second, the highest,
     * passes everything a thread can ask: the dearer of the two paths.
     */
    @State(Scope.Benchmark)
    public static class Limited {
        private static final int SPEED = 1000;
        private BranchLimiter limiter;
        private BranchLimiter full;
        private PeerMarks peer;
        private long ahead;
        private long packets;

        @Setup(Level.Iteration)
        public void limit() {
            LimitSettings settings = new LimitSettings(
                    Duration.ofMillis(50), Duration.ofMinutes(10), Duration.ZERO, Duration.ofDays(365));
            peer = new PeerMarks();
            limiter = new BranchLimiter(settings, () -> SPEED * System.nanoTime() + ahead);
            full = new BranchLimiter(settings, System::nanoTime);
            full.tryAcquire(Priority.CRITICAL);
            full.refused();
            for (int window = 0; window < 100; window++) {
                for (int i = 0; i < 50_000; i++) {
                    limiter.tryAcquire(Priority.CRITICAL);
                    limiter.answered();
                }
                ahead += WINDOW_NANOS;
                limiter.tick();
            }
            limiter.tryAcquire(Priority.CRITICAL);
            limiter.refused();
            if (limiter.rate() > 1e6 || full.rate() > 1e6) {
                throw new IllegalStateException("not limited: " + limiter.snapshot());
            }
        }
    }

    @Benchmark
    public boolean acquire(Limited state) {
        return state.limiter.tryAcquire(Priority.DEGRADED, 0.5f);
    }

    @Benchmark
    public boolean holdBack(Limited state) {
        return state.full.tryAcquire(Priority.DEGRADED, 0.5f);
    }

    @Benchmark
    public void report(Limited state) {
        state.limiter.answered();
    }

    @Benchmark
    public void tick(Limited state) {
        state.packets += 10;
        state.peer.read(state.packets / 10, state.packets);
        state.full.marks(state.peer);
        state.full.tick();
    }
}

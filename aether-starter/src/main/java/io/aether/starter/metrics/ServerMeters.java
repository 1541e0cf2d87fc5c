// SPDX-License-Identifier: Apache-2.0
package io.aether.starter.metrics;

import io.aether.core.NanoClock;
import io.aether.core.limit.Priority;
import io.aether.core.pick.Mode;
import io.aether.starter.context.IgnoredHeaders;
import io.aether.starter.context.IgnoredHeaders.Reason;
import io.aether.starter.server.OwnQueue;
import io.aether.starter.server.QueueReporter;
import io.aether.starter.server.ServerGate;
import io.aether.starter.server.ServerLoad;
import io.aether.starter.server.Verdict;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.TimeGauge;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.concurrent.TimeUnit;

/** Meters of the server's half of backpressure. Everything is counted anyway; a registry only reads it. */
public final class ServerMeters implements MeterBinder {
    private static final double MOST_PRESSURE = 255;

    private final ServerLoad load;
    private final OwnQueue queue;
    private final ServerGate gate;
    private final QueueReporter reporter;
    private final IgnoredHeaders ignored;
    private final NanoClock clock;

    /** Creates the binder. */
    public ServerMeters(
            ServerLoad load,
            OwnQueue queue,
            ServerGate gate,
            QueueReporter reporter,
            IgnoredHeaders ignored,
            NanoClock clock) {
        this.load = load;
        this.queue = queue;
        this.gate = gate;
        this.reporter = reporter;
        this.ignored = ignored;
        this.clock = clock;
    }

    @Override
    public void bindTo(MeterRegistry registry) {
        bindQueue(registry);
        for (Mode mode : new Mode[] {Mode.OBSERVE, Mode.ON}) {
            for (Verdict verdict : new Verdict[] {Verdict.OVERLOAD, Verdict.DEADLINE, Verdict.EXPIRED}) {
                for (Priority priority : Priority.values()) {
                    refusals(registry, mode, verdict, priority);
                }
            }
        }
        for (Reason reason : Reason.values()) {
            FunctionCounter.builder("aether.server.headers.ignored", ignored, source -> source.total(reason))
                    .description("Context headers that were not believed")
                    .tag("reason", AetherMeters.lower(reason))
                    .register(registry);
        }
        Gauge.builder("aether.server.telling", reporter, source -> source.telling() ? 1 : 0)
                .description("1 while the node's agent can read this server's queue")
                .register(registry);
    }

    private void bindQueue(MeterRegistry registry) {
        Gauge.builder("aether.server.running", load, ServerLoad::own)
                .description("Requests begun, without those that wait for other services")
                .register(registry);
        Gauge.builder("aether.server.downstream", load, ServerLoad::downstream)
                .description("Requests that wait for other services")
                .register(registry);
        Gauge.builder("aether.server.waiting", queue, OwnQueue::waiting)
                .description("Requests that wait for a thread or a CPU of this server")
                .register(registry);
        TimeGauge.builder("aether.server.wait", queue, TimeUnit.NANOSECONDS, source -> source.waitNanos(clock.nanos()))
                .description("Wait in this server's own queue that a request has to expect that comes now")
                .register(registry);
        TimeGauge.builder("aether.server.limit", gate, TimeUnit.NANOSECONDS, ServerGate::hardLimitNanos)
                .description("Wait beyond which every request is refused")
                .register(registry);
        TimeGauge.builder(
                        "aether.server.service",
                        load,
                        TimeUnit.NANOSECONDS,
                        source -> source.calmTime().nanos())
                .description("Mean time of a request while nothing queues, without waits for other services")
                .register(registry);
        Gauge.builder(
                        "aether.server.pressure",
                        gate,
                        source -> source.pressure(queue.waitNanos(clock.nanos())) / MOST_PRESSURE)
                .description("Wait in this server's own queue, of the wait beyond which every request is refused")
                .register(registry);
    }

    private void refusals(MeterRegistry registry, Mode mode, Verdict verdict, Priority priority) {
        FunctionCounter.builder("aether.server.refusals", gate, source -> source.refusals(mode, verdict, priority))
                .description("Requests not begun; in mode observe, those that would not have been")
                .tag("reason", AetherMeters.lower(verdict))
                .tag("priority", AetherMeters.lower(priority))
                .tag("mode", AetherMeters.lower(mode))
                .register(registry);
    }
}

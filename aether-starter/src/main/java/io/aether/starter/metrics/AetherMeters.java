// SPDX-License-Identifier: Apache-2.0
package io.aether.starter.metrics;

import io.aether.core.pick.InstanceClass;
import io.aether.core.pick.Mode;
import io.aether.core.table.TableSource;
import io.aether.core.table.TableState;
import io.aether.starter.balancer.ServiceFleet;
import io.aether.starter.balancer.ServiceFleets;
import io.aether.starter.hedge.Hedges;
import io.aether.starter.inflight.FailureKind;
import io.aether.starter.inflight.Flights;
import io.aether.starter.limit.BranchLimits;
import io.aether.starter.warmup.WarmUp;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.TimeGauge;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/** Meters of the balancer and of what else becomes of calls. Everything is counted anyway; a registry only reads it. */
public final class AetherMeters implements MeterBinder {

    private final ServiceFleets fleets;
    private final Flights flights;
    private final TableSource table;
    private final WarmUp warmUp;
    private final @Nullable BranchLimits limits;
    private final @Nullable Hedges hedges;

    /** Creates the binder. Calls may be without limiters or second attempts. */
    public AetherMeters(
            ServiceFleets fleets,
            Flights flights,
            TableSource table,
            WarmUp warmUp,
            @Nullable BranchLimits limits,
            @Nullable Hedges hedges) {
        this.fleets = fleets;
        this.flights = flights;
        this.table = table;
        this.warmUp = warmUp;
        this.limits = limits;
        this.hedges = hedges;
    }

    @Override
    public void bindTo(MeterRegistry registry) {
        bindTable(registry);
        FunctionCounter.builder("aether.inflight.leaked", flights, Flights::leakedTotal)
                .description("Requests whose end nobody reported; ended by the garbage collector or a deadline")
                .register(registry);
        FunctionCounter.builder("aether.load.reports.ignored", flights, Flights::unreadableReportsTotal)
                .description("Answers whose word of their server's load made no sense")
                .register(registry);
        FunctionCounter.builder("aether.fallbacks", fleets, ServiceFleets::failedOpenTotal)
                .description("Picks that Spring's round robin made because Aether's own failed")
                .register(registry);
        bindWarmUp(registry, "answered", WarmUp::answeredTotal);
        bindWarmUp(registry, "failed", WarmUp::failedTotal);
        fleets.onFleet(fleet -> bind(fleet, registry));
        if (limits != null) {
            new LimitMeters(limits).bindTo(registry);
        }
        if (hedges != null) {
            new HedgeMeters(hedges).bindTo(registry);
        }
    }

    private void bindWarmUp(MeterRegistry registry, String outcome, ToDoubleFunction<WarmUp> count) {
        FunctionCounter.builder("aether.warmup.requests", warmUp, count)
                .description("Requests sent to instances that have just started, before users' requests")
                .tag("outcome", outcome)
                .register(registry);
    }

    private void bindTable(MeterRegistry registry) {
        TimeGauge.builder("aether.table.age", table, TimeUnit.NANOSECONDS, AetherMeters::age)
                .description("Age of the last sign of life of the health table's writer; NaN without one")
                .register(registry);
        for (TableState state : TableState.values()) {
            Gauge.builder("aether.table.state", table, source -> source.state() == state ? 1 : 0)
                    .description("1 for the state that the health table is in")
                    .tag("state", lower(state))
                    .register(registry);
        }
    }

    private static double age(TableSource table) {
        long age = table.heartbeatAgeNanos();
        return age < 0 || age == Long.MAX_VALUE ? Double.NaN : age;
    }

    private static void bind(ServiceFleet fleet, MeterRegistry registry) {
        Gauge.builder("aether.inflight", fleet, ServiceFleet::inFlight)
                .description("Requests in flight")
                .tag("service", fleet.service())
                .register(registry);
        Gauge.builder("aether.instances.unusable", fleet, ServiceFleet::unusable)
                .description("Instances that the registry lists without host or port; they get no requests")
                .tag("service", fleet.service())
                .register(registry);
        for (FailureKind kind : FailureKind.values()) {
            FunctionCounter.builder("aether.failures", fleet, source -> source.failures(kind))
                    .description("Failures held against an instance")
                    .tag("service", fleet.service())
                    .tag("kind", kind.tag())
                    .register(registry);
        }
        for (Mode mode : new Mode[] {Mode.OBSERVE, Mode.ON}) {
            for (InstanceClass instanceClass : InstanceClass.values()) {
                FunctionCounter.builder(
                                "aether.picks", fleet, source -> source.picks().get(mode, instanceClass))
                        .description("Instances picked, by the class of the instance; not followed in mode observe")
                        .tag("service", fleet.service())
                        .tag("class", lower(instanceClass))
                        .tag("mode", lower(mode))
                        .register(registry);
            }
        }
    }

    static String lower(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT);
    }
}

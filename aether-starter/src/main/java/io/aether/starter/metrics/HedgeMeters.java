// SPDX-License-Identifier: Apache-2.0
package io.aether.starter.metrics;

import io.aether.core.hedge.HedgerSnapshot;
import io.aether.starter.hedge.Hedges;
import io.aether.starter.hedge.Hedges.RouteHedger;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.TimeGauge;
import java.util.concurrent.TimeUnit;
import java.util.function.ToDoubleFunction;

/** Meters of second attempts. Everything is counted anyway; a registry only reads it. */
final class HedgeMeters {

    private final Hedges hedges;

    HedgeMeters(Hedges hedges) {
        this.hedges = hedges;
    }

    void bindTo(MeterRegistry registry) {
        hedges.onRoute(route -> bind(route, registry));
    }

    private static void bind(RouteHedger route, MeterRegistry registry) {
        TimeGauge.builder("aether.hedge.delay", route, TimeUnit.NANOSECONDS, HedgeMeters::delay)
                .description("How long a first attempt may take until the clock sends a second; NaN while not known")
                .tags(tags(route))
                .register(registry);
        counter("calls", HedgerSnapshot::calls, "First attempts that were watched", route)
                .register(registry);
        counter("won", HedgerSnapshot::won, "Second attempts that were answered first", route)
                .register(registry);
        counter("sent", HedgerSnapshot::slow, "Second attempts, by what asked for them", route)
                .tag("cause", "slow")
                .register(registry);
        counter("sent", HedgerSnapshot::stalled, "Second attempts, by what asked for them", route)
                .tag("cause", "stalled")
                .register(registry);
        denied("budget", HedgerSnapshot::overBudget, route, registry);
        denied("marked", HedgerSnapshot::marked, route, registry);
        denied("nobody", HedgerSnapshot::nobody, route, registry);
    }

    private static void denied(
            String reason, ToDoubleFunction<HedgerSnapshot> count, RouteHedger route, MeterRegistry registry) {
        counter("denied", count, "Calls that needed a second attempt and got none", route)
                .tag("reason", reason)
                .register(registry);
    }

    private static double delay(RouteHedger route) {
        long nanos = route.hedger().delayNanos();
        return nanos == Long.MAX_VALUE ? Double.NaN : nanos;
    }

    private static FunctionCounter.Builder<RouteHedger> counter(
            String name, ToDoubleFunction<HedgerSnapshot> count, String description, RouteHedger route) {
        return FunctionCounter.builder(
                        "aether.hedge." + name,
                        route,
                        source -> count.applyAsDouble(source.hedger().snapshot()))
                .description(description)
                .tags(tags(route));
    }

    private static Tags tags(RouteHedger route) {
        return Tags.of("service", route.service(), "group", route.group());
    }
}

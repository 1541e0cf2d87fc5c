// SPDX-License-Identifier: Apache-2.0
package io.aether.starter.metrics;

import io.aether.core.limit.LimitLaw;
import io.aether.core.limit.Priority;
import io.aether.starter.limit.Branch;
import io.aether.starter.limit.BranchLimits;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.util.function.ToDoubleFunction;

/** Meters of the limiters. Everything is counted anyway; a registry only reads it. */
final class LimitMeters {

    private final BranchLimits limits;

    LimitMeters(BranchLimits limits) {
        this.limits = limits;
    }

    void bindTo(MeterRegistry registry) {
        FunctionCounter.builder("aether.limit.unlimited", limits, BranchLimits::unlimitedTotal)
                .description("Calls that nothing limits: too many services, or a registry that takes no limiter")
                .register(registry);
        Gauge.builder("aether.limit.groups.left.out", limits, BranchLimits::groupsLeftOut)
                .description("Configured groups of routes that share a limiter because there are too many")
                .register(registry);
        limits.onBranch(branch -> bind(branch, registry));
    }

    private static void bind(Branch branch, MeterRegistry registry) {
        gauge("rate", branch, LimitMeters::rate, "Requests per second that the branch may get; NaN without limit")
                .register(registry);
        gauge("delivered", branch, source -> source.limiter().delivered(), "Answers per second, smoothed")
                .register(registry);
        gauge("fraction", branch, source -> source.limiter().fraction(), "Share of answers marked or refused lately")
                .register(registry);
        counter("refused", branch, source -> source.limiter().refusedTotal(), "Requests that the service refused")
                .register(registry);
        counter("expired", branch, Branch::expired, "Calls whose deadline had passed before they were sent")
                .register(registry);
        counter("retries", branch, source -> source.retries().spentTotal(), "Retries made")
                .register(registry);
        counter("retries.denied", branch, source -> source.retries().deniedTotal(), "Retries not granted")
                .register(registry);
        for (Priority priority : Priority.values()) {
            counter("held.back", branch, source -> source.heldBack(priority), "Requests held back here, by priority")
                    .tag("priority", AetherMeters.lower(priority))
                    .register(registry);
        }
    }

    private static double rate(Branch branch) {
        double rate = branch.limiter().rate();
        return rate == LimitLaw.OPEN ? Double.NaN : rate;
    }

    private static Gauge.Builder<Branch> gauge(
            String name, Branch branch, ToDoubleFunction<Branch> value, String description) {
        return Gauge.builder("aether.limit." + name, branch, value)
                .description(description)
                .tags(tags(branch));
    }

    private static FunctionCounter.Builder<Branch> counter(
            String name, Branch branch, ToDoubleFunction<Branch> value, String description) {
        return FunctionCounter.builder("aether.limit." + name, branch, value)
                .description(description)
                .tags(tags(branch));
    }

    private static Tags tags(Branch branch) {
        return Tags.of("service", branch.service(), "group", branch.group());
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.aether.starter.autoconfigure;

import io.aether.core.NanoClock;
import io.aether.core.hedge.HedgeSettings;
import io.aether.core.limit.LimitSettings;
import io.aether.core.pick.KernelView;
import io.aether.core.pick.Mode;
import io.aether.core.pick.Signals;
import io.aether.core.table.TableSource;
import io.aether.core.table.TableState;
import io.aether.starter.balancer.ServiceFleet;
import io.aether.starter.balancer.ServiceFleets;
import io.aether.starter.context.IgnoredHeaders;
import io.aether.starter.hedge.HedgeSwitches;
import io.aether.starter.hedge.HedgeThread;
import io.aether.starter.hedge.HedgeTimer;
import io.aether.starter.hedge.Hedges;
import io.aether.starter.housekeeping.Tasks;
import io.aether.starter.limit.BranchLimits;
import io.aether.starter.limit.LimitSwitches;
import io.aether.starter.limit.Standing;
import io.aether.starter.limit.TableMarks;
import io.aether.starter.limit.webflux.RefusalAnswers;
import io.github.resilience4j.ratelimiter.RateLimiterRegistry;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.context.annotation.Bean;

/**
 * What becomes of the application's calls: the limiters of the branches that it calls, in Resilience4j's registry, and second
 * attempts of those that wait too long, which are off unless {@code aether.hedge.mode} says otherwise.
 */
@AutoConfiguration(
        after = AetherAutoConfiguration.class,
        afterName = {
            "io.github.resilience4j.springboot.ratelimiter.autoconfigure.RateLimiterRefreshScopedRegistryAutoConfiguration",
            "io.github.resilience4j.springboot.ratelimiter.autoconfigure.RateLimiterAutoConfiguration"
        })
@ConditionalOnBean(ServiceFleets.class)
public final class AetherCallAutoConfiguration {

    @Bean
    @ConditionalOnMissingBean
    RateLimiterRegistry aetherRateLimiterRegistry() {
        return RateLimiterRegistry.ofDefaults();
    }

    @Bean
    @ConditionalOnMissingBean
    LimitSwitches aetherLimitSwitches(AetherProperties properties) {
        Map<String, Mode> overrides = new HashMap<>();
        properties.services().forEach((service, own) -> {
            if (own.limit().mode() != null) {
                overrides.put(service, own.limit().mode());
            }
        });
        return new LimitSwitches(properties.limit().mode(), overrides);
    }

    @Bean
    @ConditionalOnMissingBean
    BranchLimits aetherBranchLimits(
            LimitSwitches switches,
            AetherProperties properties,
            RateLimiterRegistry registry,
            NanoClock clock,
            BranchLimits.Marks marks,
            ObjectProvider<IgnoredHeaders> ignored,
            ObjectProvider<Standing> standing) {
        Map<String, BranchLimits.Own> services = new HashMap<>();
        properties
                .services()
                .forEach((service, own) ->
                        services.put(service, new BranchLimits.Own(own.limit().groups(), own.optional())));
        LimitSettings settings =
                LimitSettings.defaults().withGrace(properties.limit().grace());
        BranchLimits limits = new BranchLimits(
                switches, services, registry, settings, clock, marks, ignored.getIfAvailable(IgnoredHeaders::new));
        standing.ifAvailable(limits::note);
        return limits;
    }

    @Bean
    @ConditionalOnMissingBean
    BranchLimits.Marks aetherMarks(TableSource table, KernelView kernel, ServiceFleets fleets, NanoClock clock) {
        return new TableMarks(clock, () -> table.state() == TableState.LIVE, kernel, service -> {
            ServiceFleet fleet = fleets.find(service);
            return fleet == null || fleet.policy().signals() != Signals.KERNEL ? List.of() : fleet.instances();
        });
    }

    @Bean
    Tasks aetherLimitTasks(BranchLimits limits) {
        return new Tasks().add(LimitSettings.defaults().window(), limits::tick);
    }

    @Bean
    @ConditionalOnMissingBean
    @ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.REACTIVE)
    RefusalAnswers aetherRefusalAnswers() {
        return new RefusalAnswers();
    }

    @Bean
    @ConditionalOnMissingBean
    HedgeSwitches aetherHedgeSwitches(AetherProperties properties) {
        Map<String, Mode> overrides = new HashMap<>();
        properties.services().forEach((service, own) -> {
            if (own.hedge().mode() != null) {
                overrides.put(service, own.hedge().mode());
            }
        });
        return new HedgeSwitches(properties.hedge().mode(), overrides);
    }

    @Bean
    @ConditionalOnMissingBean(HedgeTimer.class)
    HedgeThread aetherHedgeTimer() {
        return new HedgeThread();
    }

    @Bean
    @ConditionalOnMissingBean
    Hedges aetherHedges(
            HedgeSwitches switches,
            AetherProperties properties,
            NanoClock clock,
            ServiceFleets fleets,
            BranchLimits limits,
            HedgeTimer timer) {
        AetherProperties.Hedge hedge = properties.hedge();
        Map<String, HedgeSettings> own = new HashMap<>();
        properties.services().forEach((service, its) -> own.put(service, settings(hedge, its.hedge())));
        return new Hedges(
                switches,
                new HedgeSettings(hedge.budget(), hedge.minDelay()),
                own,
                hedge.methods(),
                clock,
                fleets,
                limits,
                timer);
    }

    private static HedgeSettings settings(AetherProperties.Hedge common, AetherProperties.ServiceHedge own) {
        return new HedgeSettings(
                own.budget() == null ? common.budget() : own.budget(),
                own.minDelay() == null ? common.minDelay() : own.minDelay());
    }
}

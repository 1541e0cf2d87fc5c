// SPDX-License-Identifier: Apache-2.0
package io.aether.starter.autoconfigure;

import io.aether.core.NanoClock;
import io.aether.core.limit.LimitSettings;
import io.aether.core.pick.KernelView;
import io.aether.core.pick.Mode;
import io.aether.core.pick.Signals;
import io.aether.core.table.TableSource;
import io.aether.core.table.TableState;
import io.aether.starter.balancer.ServiceFleet;
import io.aether.starter.balancer.ServiceFleets;
import io.aether.starter.context.IgnoredHeaders;
import io.aether.starter.housekeeping.Task;
import io.aether.starter.limit.BranchLimits;
import io.aether.starter.limit.LimitSwitches;
import io.aether.starter.limit.Standing;
import io.aether.starter.limit.TableMarks;
import io.aether.starter.limit.servlet.RefusalResolver;
import io.aether.starter.limit.webflux.RefusalAnswers;
import io.github.resilience4j.ratelimiter.RateLimiterRegistry;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.servlet.HandlerExceptionResolver;

/** The limiters of the branches that the application calls, in Resilience4j's registry. */
@AutoConfiguration(
        after = AetherAutoConfiguration.class,
        afterName = {
            "io.github.resilience4j.springboot.ratelimiter.autoconfigure.RateLimiterRefreshScopedRegistryAutoConfiguration",
            "io.github.resilience4j.springboot.ratelimiter.autoconfigure.RateLimiterAutoConfiguration"
        })
@ConditionalOnBean(ServiceFleets.class)
@EnableConfigurationProperties(LimitProperties.class)
public final class AetherLimitAutoConfiguration {

    @Bean
    @ConditionalOnMissingBean
    RateLimiterRegistry aetherRateLimiterRegistry() {
        return RateLimiterRegistry.ofDefaults();
    }

    @Bean
    @ConditionalOnMissingBean
    LimitSwitches aetherLimitSwitches(LimitProperties limit, AetherProperties properties) {
        Map<String, Mode> overrides = new HashMap<>();
        properties.services().forEach((service, own) -> {
            if (own.limit().mode() != null) {
                overrides.put(service, own.limit().mode());
            }
        });
        return new LimitSwitches(limit.mode(), overrides);
    }

    @Bean
    @ConditionalOnMissingBean
    BranchLimits aetherBranchLimits(
            LimitSwitches switches,
            LimitProperties limit,
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
        LimitSettings settings = LimitSettings.defaults().withGrace(limit.grace());
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
    Task aetherLimitTask(BranchLimits limits) {
        return new Task(LimitSettings.defaults().window(), false, limits::tick);
    }

    @Bean
    @ConditionalOnMissingBean
    @ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.REACTIVE)
    RefusalAnswers aetherRefusalAnswers() {
        return new RefusalAnswers();
    }

    /** In servlet applications. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
    @ConditionalOnClass(HandlerExceptionResolver.class)
    static class Servlet {

        @Bean
        @ConditionalOnMissingBean
        RefusalResolver aetherRefusalResolver() {
            return new RefusalResolver();
        }
    }
}

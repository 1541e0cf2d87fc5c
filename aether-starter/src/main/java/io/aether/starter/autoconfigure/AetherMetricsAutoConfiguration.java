// SPDX-License-Identifier: Apache-2.0
package io.aether.starter.autoconfigure;

import io.aether.core.table.TableSource;
import io.aether.starter.balancer.ServiceFleets;
import io.aether.starter.hedge.Hedges;
import io.aether.starter.housekeeping.Task;
import io.aether.starter.inflight.Flights;
import io.aether.starter.limit.BranchLimits;
import io.aether.starter.metrics.AetherMeters;
import io.aether.starter.metrics.HedgeMeters;
import io.aether.starter.metrics.InstanceMeters;
import io.aether.starter.metrics.LimitMeters;
import io.aether.starter.warmup.WarmUp;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;

/** Micrometer meters, in applications that have a registry. */
@AutoConfiguration(
        after = {AetherAutoConfiguration.class, AetherLimitAutoConfiguration.class, AetherHedgeAutoConfiguration.class},
        afterName = {
            "org.springframework.boot.micrometer.metrics.autoconfigure.MetricsAutoConfiguration",
            "org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration"
        })
@ConditionalOnClass(MeterRegistry.class)
@ConditionalOnBean({MeterRegistry.class, ServiceFleets.class})
public final class AetherMetricsAutoConfiguration {

    @Bean
    @ConditionalOnMissingBean
    AetherMeters aetherMeters(ServiceFleets fleets, Flights flights, TableSource table, WarmUp warmUp) {
        return new AetherMeters(fleets, flights, table, warmUp);
    }

    @Bean
    @ConditionalOnMissingBean
    @ConditionalOnProperty(name = "aether.metrics.per-instance", matchIfMissing = true)
    InstanceMeters aetherInstanceMeters(ServiceFleets fleets, MeterRegistry registry, AetherProperties properties) {
        return new InstanceMeters(fleets, registry, properties.metrics().maxInstances());
    }

    @Bean
    @ConditionalOnBean(InstanceMeters.class)
    Task aetherInstanceMetersTask(InstanceMeters meters) {
        return new Task(Duration.ofSeconds(1), false, meters);
    }

    @Bean
    @ConditionalOnMissingBean
    @ConditionalOnBean(BranchLimits.class)
    LimitMeters aetherLimitMeters(BranchLimits limits) {
        return new LimitMeters(limits);
    }

    @Bean
    @ConditionalOnMissingBean
    @ConditionalOnBean(Hedges.class)
    HedgeMeters aetherHedgeMeters(Hedges hedges) {
        return new HedgeMeters(hedges);
    }
}

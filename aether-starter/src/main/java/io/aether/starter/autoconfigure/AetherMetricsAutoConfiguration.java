// SPDX-License-Identifier: Apache-2.0
package io.aether.starter.autoconfigure;

import io.aether.core.NanoClock;
import io.aether.core.table.TableSource;
import io.aether.starter.balancer.ServiceFleets;
import io.aether.starter.context.IgnoredHeaders;
import io.aether.starter.hedge.Hedges;
import io.aether.starter.housekeeping.Tasks;
import io.aether.starter.inflight.Flights;
import io.aether.starter.limit.BranchLimits;
import io.aether.starter.metrics.AetherMeters;
import io.aether.starter.metrics.InstanceMeters;
import io.aether.starter.metrics.ServerMeters;
import io.aether.starter.server.OwnQueue;
import io.aether.starter.server.QueueReporter;
import io.aether.starter.server.ServerEntry;
import io.aether.starter.server.ServerGate;
import io.aether.starter.server.ServerLoad;
import io.aether.starter.warmup.WarmUp;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;

/** Micrometer meters, in applications that have a registry. */
@AutoConfiguration(
        after = {AetherAutoConfiguration.class, AetherCallAutoConfiguration.class, AetherServerAutoConfiguration.class},
        afterName = {
            "org.springframework.boot.micrometer.metrics.autoconfigure.MetricsAutoConfiguration",
            "org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration"
        })
@ConditionalOnClass(MeterRegistry.class)
@ConditionalOnBean({MeterRegistry.class, ServiceFleets.class})
public final class AetherMetricsAutoConfiguration {

    @Bean
    @ConditionalOnMissingBean
    AetherMeters aetherMeters(
            ServiceFleets fleets,
            Flights flights,
            TableSource table,
            WarmUp warmUp,
            ObjectProvider<BranchLimits> limits,
            ObjectProvider<Hedges> hedges) {
        return new AetherMeters(fleets, flights, table, warmUp, limits.getIfAvailable(), hedges.getIfAvailable());
    }

    @Bean
    @ConditionalOnMissingBean
    @ConditionalOnProperty(name = "aether.metrics.per-instance", matchIfMissing = true)
    InstanceMeters aetherInstanceMeters(ServiceFleets fleets, MeterRegistry registry, AetherProperties properties) {
        return new InstanceMeters(fleets, registry, properties.metrics().maxInstances());
    }

    @Bean
    @ConditionalOnBean(InstanceMeters.class)
    Tasks aetherInstanceMetersTasks(InstanceMeters meters) {
        return new Tasks().add(Duration.ofSeconds(1), meters);
    }

    @Bean
    @ConditionalOnMissingBean
    @ConditionalOnBean(ServerEntry.class)
    ServerMeters aetherServerMeters(
            ServerLoad load,
            OwnQueue queue,
            ServerGate gate,
            QueueReporter reporter,
            IgnoredHeaders ignored,
            NanoClock clock) {
        return new ServerMeters(load, queue, gate, reporter, ignored, clock);
    }
}

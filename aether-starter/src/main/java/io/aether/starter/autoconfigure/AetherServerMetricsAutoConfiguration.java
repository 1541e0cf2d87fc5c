// SPDX-License-Identifier: Apache-2.0
package io.aether.starter.autoconfigure;

import io.aether.core.NanoClock;
import io.aether.starter.context.IgnoredHeaders;
import io.aether.starter.metrics.ServerMeters;
import io.aether.starter.server.OwnQueue;
import io.aether.starter.server.QueueReporter;
import io.aether.starter.server.ServerEntry;
import io.aether.starter.server.ServerGate;
import io.aether.starter.server.ServerLoad;
import io.micrometer.core.instrument.MeterRegistry;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;

/** Meters of the server's half of backpressure, in applications that have a registry. */
@AutoConfiguration(
        after = AetherServerAutoConfiguration.class,
        afterName = {
            "org.springframework.boot.micrometer.metrics.autoconfigure.MetricsAutoConfiguration",
            "org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration"
        })
@ConditionalOnClass(MeterRegistry.class)
@ConditionalOnBean({MeterRegistry.class, ServerEntry.class})
public final class AetherServerMetricsAutoConfiguration {

    @Bean
    @ConditionalOnMissingBean
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

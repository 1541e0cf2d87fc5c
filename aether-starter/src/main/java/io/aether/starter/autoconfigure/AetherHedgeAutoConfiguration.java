// SPDX-License-Identifier: Apache-2.0
package io.aether.starter.autoconfigure;

import io.aether.core.NanoClock;
import io.aether.core.hedge.HedgeSettings;
import io.aether.core.pick.Mode;
import io.aether.starter.balancer.ServiceFleets;
import io.aether.starter.hedge.HedgeSwitches;
import io.aether.starter.hedge.HedgeThread;
import io.aether.starter.hedge.HedgeTimer;
import io.aether.starter.hedge.Hedges;
import io.aether.starter.limit.BranchLimits;
import java.util.HashMap;
import java.util.Map;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;

/** Second attempts of calls that wait too long; off unless {@code aether.hedge.mode} says otherwise. */
@AutoConfiguration(after = {AetherAutoConfiguration.class, AetherLimitAutoConfiguration.class})
@ConditionalOnBean({ServiceFleets.class, BranchLimits.class})
@EnableConfigurationProperties(HedgeProperties.class)
public final class AetherHedgeAutoConfiguration {

    @Bean
    @ConditionalOnMissingBean
    HedgeSwitches aetherHedgeSwitches(HedgeProperties hedge, AetherProperties properties) {
        Map<String, Mode> overrides = new HashMap<>();
        properties.services().forEach((service, own) -> {
            if (own.hedge().mode() != null) {
                overrides.put(service, own.hedge().mode());
            }
        });
        return new HedgeSwitches(hedge.mode(), overrides);
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
            HedgeProperties hedge,
            AetherProperties properties,
            NanoClock clock,
            ServiceFleets fleets,
            BranchLimits limits,
            HedgeTimer timer) {
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

    private static HedgeSettings settings(HedgeProperties common, AetherProperties.ServiceHedge own) {
        return new HedgeSettings(
                own.budget() == null ? common.budget() : own.budget(),
                own.minDelay() == null ? common.minDelay() : own.minDelay());
    }
}

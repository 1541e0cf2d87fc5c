// SPDX-License-Identifier: Apache-2.0
package io.aether.starter.autoconfigure;

import io.aether.core.table.TableSource;
import io.aether.starter.actuator.AetherEndpoint;
import io.aether.starter.balancer.ServiceFleets;
import io.aether.starter.hedge.Hedges;
import io.aether.starter.limit.BranchLimits;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;

/** The actuator endpoint. */
@AutoConfiguration(
        after = {AetherAutoConfiguration.class, AetherLimitAutoConfiguration.class, AetherHedgeAutoConfiguration.class})
@ConditionalOnClass({Endpoint.class, ConditionalOnAvailableEndpoint.class})
@ConditionalOnBean(ServiceFleets.class)
@ConditionalOnAvailableEndpoint(AetherEndpoint.class)
public final class AetherActuatorAutoConfiguration {

    @Bean
    @ConditionalOnMissingBean
    AetherEndpoint aetherEndpoint(
            ServiceFleets fleets,
            TableSource table,
            ObjectProvider<BranchLimits> limits,
            ObjectProvider<Hedges> hedges) {
        return new AetherEndpoint(fleets, table, limits.getIfAvailable(), hedges.getIfAvailable());
    }
}

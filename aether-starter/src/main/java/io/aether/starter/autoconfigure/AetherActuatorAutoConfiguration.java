// SPDX-License-Identifier: Apache-2.0
package io.aether.starter.autoconfigure;

import io.aether.core.NanoClock;
import io.aether.core.table.TableSource;
import io.aether.starter.actuator.AetherEndpoint;
import io.aether.starter.actuator.AetherServerEndpoint;
import io.aether.starter.balancer.ServiceFleets;
import io.aether.starter.hedge.Hedges;
import io.aether.starter.limit.BranchLimits;
import io.aether.starter.server.OwnQueue;
import io.aether.starter.server.QueueReporter;
import io.aether.starter.server.ServerEntry;
import io.aether.starter.server.ServerGate;
import io.aether.starter.server.ServerLoad;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;

/** The actuator endpoints. */
@AutoConfiguration(
        after = {AetherAutoConfiguration.class, AetherCallAutoConfiguration.class, AetherServerAutoConfiguration.class})
@ConditionalOnClass({Endpoint.class, ConditionalOnAvailableEndpoint.class})
@ConditionalOnBean(ServiceFleets.class)
public final class AetherActuatorAutoConfiguration {

    @Bean
    @ConditionalOnMissingBean
    @ConditionalOnAvailableEndpoint(AetherEndpoint.class)
    AetherEndpoint aetherEndpoint(
            ServiceFleets fleets,
            TableSource table,
            ObjectProvider<BranchLimits> limits,
            ObjectProvider<Hedges> hedges) {
        return new AetherEndpoint(fleets, table, limits.getIfAvailable(), hedges.getIfAvailable());
    }

    @Bean
    @ConditionalOnMissingBean
    @ConditionalOnAvailableEndpoint(AetherServerEndpoint.class)
    @ConditionalOnBean(ServerEntry.class)
    AetherServerEndpoint aetherServerEndpoint(
            ServerLoad load, OwnQueue queue, ServerGate gate, QueueReporter reporter, NanoClock clock) {
        return new AetherServerEndpoint(load, queue, gate, reporter, clock);
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.aether.starter.autoconfigure;

import io.aether.core.NanoClock;
import io.aether.starter.actuator.AetherServerEndpoint;
import io.aether.starter.server.OwnQueue;
import io.aether.starter.server.QueueReporter;
import io.aether.starter.server.ServerEntry;
import io.aether.starter.server.ServerGate;
import io.aether.starter.server.ServerLoad;
import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;

/** The actuator endpoint of the server's half of backpressure. */
@AutoConfiguration(after = AetherServerAutoConfiguration.class)
@ConditionalOnClass({Endpoint.class, ConditionalOnAvailableEndpoint.class})
@ConditionalOnBean(ServerEntry.class)
@ConditionalOnAvailableEndpoint(AetherServerEndpoint.class)
public final class AetherServerActuatorAutoConfiguration {

    @Bean
    @ConditionalOnMissingBean
    AetherServerEndpoint aetherServerEndpoint(
            ServerLoad load, OwnQueue queue, ServerGate gate, QueueReporter reporter, NanoClock clock) {
        return new AetherServerEndpoint(load, queue, gate, reporter, clock);
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.aether.starter.autoconfigure;

import io.aether.starter.balancer.ServiceFleets;
import io.aether.starter.limit.Standing;
import io.aether.starter.observation.CallObservationFilter;
import io.aether.starter.observation.ObservedCalls;
import io.micrometer.observation.ObservationRegistry;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;

/** Lets the observations of client requests, which become timers and spans, tell where a call went and why. */
@AutoConfiguration(
        after = AetherAutoConfiguration.class,
        afterName = "org.springframework.boot.micrometer.observation.autoconfigure.ObservationAutoConfiguration")
@ConditionalOnClass(ObservationRegistry.class)
@ConditionalOnBean({ObservationRegistry.class, ServiceFleets.class})
@ConditionalOnProperty(name = "aether.observation.enabled", matchIfMissing = true)
public final class AetherObservationAutoConfiguration {

    @Bean
    @ConditionalOnMissingBean
    Standing aetherStanding(ServiceFleets fleets) {
        return fleets::standing;
    }

    /** RestClient, RestTemplate, and HTTP interfaces that use them. */
    @Bean
    @ConditionalOnClass(name = "org.springframework.http.client.observation.ClientRequestObservationContext")
    CallObservationFilter<?> aetherBlockingObservations() {
        return ObservedCalls.ofBlockingClients();
    }

    /** WebClient, and HTTP interfaces that use it. */
    @Bean
    @ConditionalOnClass(name = "org.springframework.web.reactive.function.client.WebClient")
    CallObservationFilter<?> aetherReactiveObservations() {
        return ObservedCalls.ofWebClients();
    }

    /** Routes of Spring Cloud Gateway on WebFlux. */
    @Bean
    @ConditionalOnClass(name = "org.springframework.cloud.gateway.filter.headers.observation.GatewayContext")
    CallObservationFilter<?> aetherGatewayObservations() {
        return ObservedCalls.ofGateways();
    }
}

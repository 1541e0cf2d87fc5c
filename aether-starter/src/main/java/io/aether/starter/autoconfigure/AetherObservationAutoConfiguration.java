// SPDX-License-Identifier: Apache-2.0
package io.aether.starter.autoconfigure;

import io.aether.starter.balancer.ServiceFleets;
import io.aether.starter.limit.Passage;
import io.aether.starter.limit.Standing;
import io.aether.starter.observation.CallObservationFilter;
import io.micrometer.observation.ObservationRegistry;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.cloud.gateway.filter.headers.observation.GatewayContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.client.observation.ClientRequestObservationContext;
import org.springframework.web.reactive.function.client.WebClient;

/** Lets the observations of client requests, which become timers and spans, tell where a call went and why. */
@AutoConfiguration(
        after = AetherAutoConfiguration.class,
        afterName = "org.springframework.boot.micrometer.observation.autoconfigure.ObservationAutoConfiguration")
@ConditionalOnClass(ObservationRegistry.class)
@ConditionalOnBean({ObservationRegistry.class, ServiceFleets.class})
@ConditionalOnProperty(name = "aether.observation.enabled", matchIfMissing = true)
@EnableConfigurationProperties(ObservationProperties.class)
public final class AetherObservationAutoConfiguration {

    @Bean
    @ConditionalOnMissingBean
    Standing aetherStanding(ServiceFleets fleets) {
        return fleets::standing;
    }

    /** RestClient, RestTemplate, and HTTP interfaces that use them. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(ClientRequestObservationContext.class)
    static class Blocking {

        @Bean
        CallObservationFilter<ClientRequestObservationContext> aetherBlockingObservations() {
            return new CallObservationFilter<>(
                    ClientRequestObservationContext.class,
                    context -> context.getCarrier() == null
                            ? null
                            : context.getCarrier().getAttributes().get(Passage.ATTRIBUTE));
        }
    }

    /** WebClient, and HTTP interfaces that use it. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(WebClient.class)
    static class Reactive {

        @Bean
        CallObservationFilter<?> aetherReactiveObservations() {
            return new CallObservationFilter<>(
                    org.springframework.web.reactive.function.client.ClientRequestObservationContext.class,
                    context -> context.get(Passage.class));
        }
    }

    /** Routes of Spring Cloud Gateway on WebFlux. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(GatewayContext.class)
    static class Gateway {

        @Bean
        CallObservationFilter<GatewayContext> aetherGatewayObservations() {
            return new CallObservationFilter<>(
                    GatewayContext.class,
                    context -> context.getServerWebExchange().getAttribute(Passage.ATTRIBUTE));
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.aether.starter.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.aether.starter.limit.BranchLimits;
import io.aether.starter.limit.Standing;
import io.aether.starter.observation.CallObservationFilter;
import io.micrometer.observation.ObservationRegistry;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.cloud.gateway.filter.headers.observation.GatewayContext;
import org.springframework.cloud.loadbalancer.config.LoadBalancerAutoConfiguration;
import org.springframework.web.reactive.function.client.WebClient;

/** Observations are added to where there are any, and nothing of them has to be on the class path. */
class AetherObservationAutoConfigurationTests {

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    AetherAutoConfiguration.class,
                    AetherCallAutoConfiguration.class,
                    AetherObservationAutoConfiguration.class,
                    LoadBalancerAutoConfiguration.class))
            .withPropertyValues("aether.table.path=/nonexistent/health");

    private final ApplicationContextRunner observed =
            runner.withBean(ObservationRegistry.class, ObservationRegistry::create);

    @Test
    void everyClientIsAddedTo() {
        observed.run(context ->
                assertThat(context.getBeansOfType(CallObservationFilter.class)).hasSize(3));
    }

    @Test
    void nothingIsAddedWithoutARegistry() {
        runner.run(context -> assertThat(context)
                .hasSingleBean(BranchLimits.class)
                .doesNotHaveBean(Standing.class)
                .doesNotHaveBean(CallObservationFilter.class));
    }

    @Test
    void itCanBeSwitchedOff() {
        observed.withPropertyValues("aether.observation.enabled=false")
                .run(context -> assertThat(context)
                        .hasSingleBean(BranchLimits.class)
                        .doesNotHaveBean(Standing.class)
                        .doesNotHaveBean(CallObservationFilter.class));
    }

    @Test
    void clientsMayBeMissing() {
        observed.withClassLoader(new FilteredClassLoader(WebClient.class, GatewayContext.class))
                .run(context -> assertThat(context)
                        .hasNotFailed()
                        .hasBean("aetherBlockingObservations")
                        .doesNotHaveBean("aetherReactiveObservations")
                        .doesNotHaveBean("aetherGatewayObservations"));
    }

    @Test
    void observationsMayBeMissing() {
        runner.withClassLoader(new FilteredClassLoader("io.micrometer.observation"))
                .run(context -> assertThat(context)
                        .hasNotFailed()
                        .hasSingleBean(BranchLimits.class)
                        .doesNotHaveBean(CallObservationFilter.class));
    }
}

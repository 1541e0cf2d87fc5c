// SPDX-License-Identifier: Apache-2.0
package io.aether.starter.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.aether.core.pick.Mode;
import io.aether.core.pick.Signals;
import io.aether.starter.actuator.AetherEndpoint;
import io.aether.starter.balancer.AetherLoadBalancer;
import io.aether.starter.balancer.Policy;
import io.aether.starter.balancer.ServiceFleets;
import io.aether.starter.balancer.Switches;
import io.aether.starter.hedge.Hedges;
import io.aether.starter.inflight.Flights;
import io.aether.starter.inflight.LifecycleFlights;
import io.aether.starter.inflight.blocking.CountedRequestFactory;
import io.aether.starter.inflight.gateway.FlightFilter;
import io.aether.starter.inflight.webclient.CountedExchangeFilter;
import io.aether.starter.inflight.webclient.CountedRetryingExchangeFilter;
import io.aether.starter.metrics.AetherMeters;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.cloud.client.ServiceInstance;
import org.springframework.cloud.client.loadbalancer.LoadBalancerClient;
import org.springframework.cloud.client.loadbalancer.LoadBalancerRequestFactory;
import org.springframework.cloud.client.loadbalancer.reactive.LoadBalancedExchangeFilterFunction;
import org.springframework.cloud.client.loadbalancer.reactive.LoadBalancerBeanPostProcessorAutoConfiguration;
import org.springframework.cloud.client.loadbalancer.reactive.ReactiveLoadBalancer;
import org.springframework.cloud.client.loadbalancer.reactive.ReactorLoadBalancerClientAutoConfiguration;
import org.springframework.cloud.client.loadbalancer.reactive.ReactorLoadBalancerExchangeFilterFunction;
import org.springframework.cloud.gateway.filter.GlobalFilter;
import org.springframework.cloud.loadbalancer.config.BlockingLoadBalancerClientAutoConfiguration;
import org.springframework.cloud.loadbalancer.config.LoadBalancerAutoConfiguration;
import org.springframework.cloud.loadbalancer.core.ReactorServiceInstanceLoadBalancer;
import org.springframework.cloud.loadbalancer.core.RoundRobinLoadBalancer;
import org.springframework.cloud.loadbalancer.support.LoadBalancerClientFactory;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.validation.Validator;
import org.springframework.web.reactive.function.client.WebClient;

/** What is there by default, disabled, beside a user's own beans, and without optional libraries. */
class AetherAutoConfigurationTests {

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    AetherAutoConfiguration.class,
                    AetherCallAutoConfiguration.class,
                    AetherBlockingLimitAutoConfiguration.class,
                    AetherWebClientAutoConfiguration.class,
                    AetherBlockingClientAutoConfiguration.class,
                    AetherGatewayAutoConfiguration.class,
                    AetherActuatorAutoConfiguration.class,
                    AetherMetricsAutoConfiguration.class,
                    LoadBalancerAutoConfiguration.class,
                    BlockingLoadBalancerClientAutoConfiguration.class,
                    org.springframework.cloud.client.loadbalancer.LoadBalancerAutoConfiguration.class,
                    ReactorLoadBalancerClientAutoConfiguration.class,
                    LoadBalancerBeanPostProcessorAutoConfiguration.class))
            .withPropertyValues("aether.table.path=/nonexistent/health", "management.endpoints.web.exposure.include=*");

    static ReactorServiceInstanceLoadBalancer balancer(ApplicationContext context) {
        return context.getBean(LoadBalancerClientFactory.class)
                .getInstance("shop", ReactorServiceInstanceLoadBalancer.class);
    }

    @Test
    void anApplicationsValidatorIsItsOwn() {
        runner.withBean("mine", Validator.class, () -> Validator.forInstanceOf(String.class, (text, errors) -> {}))
                .run(context -> assertThat(context.getBean(Validator.class)).isSameAs(context.getBean("mine")));
    }

    @Test
    void hedgingIsOffAndWhatItMustNotBeIsNamed() {
        runner.run(context ->
                assertThat(context.getBean(Hedges.class).switches().common()).isEqualTo(Mode.OFF));
        runner.withPropertyValues("aether.hedge.methods=GET,POST")
                .run(context -> assertThat(context)
                        .getFailure()
                        .hasStackTraceContaining("a request of any other method must not be sent twice"));
        runner.withPropertyValues("aether.hedge.budget=0.2")
                .run(context -> assertThat(context).getFailure().hasStackTraceContaining("aether.hedge"));
    }

    @Test
    void byDefaultEveryServiceIsBalancedAndEveryClientCounted() {
        runner.withBean(MeterRegistry.class, SimpleMeterRegistry::new).run(context -> {
            assertThat(context).hasNotFailed();
            assertThat(balancer(context)).isInstanceOf(AetherLoadBalancer.class);
            assertThat(context).hasSingleBean(CountedExchangeFilter.class);
            assertThat(context.getBeansOfType(ReactorLoadBalancerExchangeFilterFunction.class))
                    .hasSize(1);
            assertThat(context.getBeansOfType(LoadBalancerRequestFactory.class))
                    .hasSize(1)
                    .containsValue(context.getBean(CountedRequestFactory.class));
            assertThat(context).hasSingleBean(FlightFilter.class);
            assertThat(context).hasSingleBean(AetherEndpoint.class);
            assertThat(context).hasSingleBean(AetherMeters.class);
        });
    }

    @Test
    void disabledItLeavesNothingBehind() {
        runner.withPropertyValues("aether.enabled=false").run(context -> {
            assertThat(context).hasNotFailed();
            assertThat(balancer(context)).isInstanceOf(RoundRobinLoadBalancer.class);
            assertThat(context).doesNotHaveBean(ServiceFleets.class).doesNotHaveBean(Flights.class);
            assertThat(context).doesNotHaveBean(CountedExchangeFilter.class);
            assertThat(context).hasSingleBean(ReactorLoadBalancerExchangeFilterFunction.class);
        });
    }

    @Test
    void withoutSpringsBalancerThereIsNothingToDo() {
        runner.withPropertyValues("spring.cloud.loadbalancer.enabled=false").run(context -> {
            assertThat(context).hasNotFailed().doesNotHaveBean(ServiceFleets.class);
        });
    }

    @Test
    void retriesOfWebClientAreCountedToo() {
        runner.withPropertyValues("spring.cloud.loadbalancer.retry.enabled=true")
                .run(context -> {
                    assertThat(context)
                            .hasSingleBean(CountedRetryingExchangeFilter.class)
                            .doesNotHaveBean(CountedExchangeFilter.class);
                    assertThat(context.getBeansOfType(LoadBalancedExchangeFilterFunction.class))
                            .hasSize(1);
                });
    }

    @Test
    void beansOfTheUsersOwnWin() {
        runner.withUserConfiguration(OwnBeans.class).run(context -> {
            assertThat(context).hasNotFailed();
            assertThat(context.getBean(Switches.class).common().mode()).isEqualTo(Mode.OFF);
            assertThat(context)
                    .doesNotHaveBean(CountedExchangeFilter.class)
                    .doesNotHaveBean(CountedRequestFactory.class);
        });
    }

    @Test
    void worksWithoutWebFlux() {
        without(WebClient.class, GlobalFilter.class)
                .run(context -> assertThat(context)
                        .hasNotFailed()
                        .hasSingleBean(CountedRequestFactory.class)
                        .doesNotHaveBean(CountedExchangeFilter.class));
    }

    @Test
    void worksWithoutBlockingClients() {
        runner.withClassLoader(new FilteredClassLoader(
                        "org.springframework.web.client", "org.springframework.boot.restclient"))
                .run(context -> assertThat(context)
                        .hasNotFailed()
                        .hasSingleBean(CountedExchangeFilter.class)
                        .doesNotHaveBean(CountedRequestFactory.class)
                        .hasSingleBean(LifecycleFlights.class));
    }

    @Test
    void worksWithoutGateway() {
        without(GlobalFilter.class)
                .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(FlightFilter.class));
    }

    @Test
    void worksWithoutActuatorAndMicrometer() {
        without(Endpoint.class, MeterRegistry.class).run(context -> {
            assertThat(context).hasNotFailed();
            assertThat(balancer(context)).isInstanceOf(AetherLoadBalancer.class);
            assertThat(context).doesNotHaveBean("aetherEndpoint").doesNotHaveBean("aetherMeters");
        });
    }

    @Test
    void theEndpointIsNotThereUnlessExposed() {
        new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(
                        AetherAutoConfiguration.class,
                        AetherActuatorAutoConfiguration.class,
                        LoadBalancerAutoConfiguration.class))
                .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(AetherEndpoint.class));
    }

    @Test
    void metersOfInstancesCanBeSwitchedOff() {
        runner.withBean(MeterRegistry.class, SimpleMeterRegistry::new)
                .withPropertyValues("aether.metrics.per-instance=false")
                .run(context -> assertThat(context)
                        .hasNotFailed()
                        .hasBean("aetherMeters")
                        .doesNotHaveBean("aetherInstanceMeters"));
    }

    private ApplicationContextRunner without(Class<?>... classes) {
        return runner.withClassLoader(new FilteredClassLoader(classes));
    }

    @Configuration(proxyBeanMethods = false)
    static class OwnBeans {

        @Bean
        Switches switches() {
            return new Switches(new Policy(Mode.OFF, Signals.APPLICATION), Map.of());
        }

        @Bean
        ReactorLoadBalancerExchangeFilterFunction ownFilter(ReactiveLoadBalancer.Factory<ServiceInstance> clients) {
            return new ReactorLoadBalancerExchangeFilterFunction(clients, List.of());
        }

        @Bean
        LoadBalancerRequestFactory ownFactory(LoadBalancerClient client) {
            return new LoadBalancerRequestFactory(client);
        }
    }
}

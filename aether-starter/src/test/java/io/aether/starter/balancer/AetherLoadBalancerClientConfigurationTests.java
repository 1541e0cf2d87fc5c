// SPDX-License-Identifier: Apache-2.0
package io.aether.starter.balancer;

import static org.assertj.core.api.Assertions.assertThat;

import io.aether.starter.autoconfigure.AetherAutoConfiguration;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.cloud.client.ServiceInstance;
import org.springframework.cloud.client.loadbalancer.EmptyResponse;
import org.springframework.cloud.client.loadbalancer.Request;
import org.springframework.cloud.client.loadbalancer.Response;
import org.springframework.cloud.loadbalancer.annotation.LoadBalancerClient;
import org.springframework.cloud.loadbalancer.annotation.LoadBalancerClients;
import org.springframework.cloud.loadbalancer.config.LoadBalancerAutoConfiguration;
import org.springframework.cloud.loadbalancer.core.ReactorLoadBalancer;
import org.springframework.cloud.loadbalancer.core.ReactorServiceInstanceLoadBalancer;
import org.springframework.cloud.loadbalancer.support.LoadBalancerClientFactory;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import reactor.core.publisher.Mono;

/** Whose balancer a child context gets. Default configurations reach it in the order of their class names' hashes. */
class AetherLoadBalancerClientConfigurationTests {

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(
                    AutoConfigurations.of(AetherAutoConfiguration.class, LoadBalancerAutoConfiguration.class))
            .withPropertyValues("aether.table.path=/nonexistent/health");

    private static Object balancer(ApplicationContext context, String service) {
        LoadBalancerClientFactory clients = context.getBean(LoadBalancerClientFactory.class);
        Object asGatewayAsks = clients.getInstance(service, ReactorServiceInstanceLoadBalancer.class);
        assertThat((Object) clients.getInstance(service)).isSameAs(asGatewayAsks);
        return asGatewayAsks;
    }

    static Stream<Class<?>> defaults() {
        return Stream.of(
                AppleDefaults.class,
                BananaDefaults.class,
                CherryDefaults.class,
                Date.class,
                Elderberry.class,
                FigApplication.class,
                GrapeConfiguration.class);
    }

    @ParameterizedTest
    @MethodSource("defaults")
    void aDefaultConfigurationOfTheUsersWinsWhateverItsName(Class<?> configuration) {
        runner.withUserConfiguration(configuration)
                .run(context -> assertThat(balancer(context, "shop")).isInstanceOf(Own.class));
    }

    @Test
    void aClientConfigurationOfTheUsersWinsForItsClient() {
        runner.withUserConfiguration(OneClient.class).run(context -> {
            assertThat(balancer(context, "shop")).isInstanceOf(Own.class);
            assertThat(balancer(context, "other")).isInstanceOf(AetherLoadBalancer.class);
            assertThat(context.getBean(ServiceFleets.class).find("shop")).isNull();
        });
    }

    @Test
    void aBeanOfTheApplicationWins() {
        runner.withUserConfiguration(OwnBalancer.class)
                .run(context -> assertThat(balancer(context, "shop")).isInstanceOf(Own.class));
    }

    @Test
    void withoutDiscoveryThereIsStillABalancer() {
        runner.withPropertyValues("spring.cloud.discovery.enabled=false")
                .run(context -> assertThat(balancer(context, "shop")).isInstanceOf(AetherLoadBalancer.class));
    }

    static final class Own implements ReactorServiceInstanceLoadBalancer {
        @Override
        @SuppressWarnings("rawtypes")
        public Mono<Response<ServiceInstance>> choose(Request request) {
            return Mono.just(new EmptyResponse());
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class OwnBalancer {
        @Bean
        ReactorLoadBalancer<ServiceInstance> ownBalancer() {
            return new Own();
        }
    }

    @LoadBalancerClient(name = "shop", configuration = OwnBalancer.class)
    static class OneClient {}

    @LoadBalancerClients(defaultConfiguration = OwnBalancer.class)
    static class AppleDefaults {}

    @LoadBalancerClients(defaultConfiguration = OwnBalancer.class)
    static class BananaDefaults {}

    @LoadBalancerClients(defaultConfiguration = OwnBalancer.class)
    static class CherryDefaults {}

    @LoadBalancerClients(defaultConfiguration = OwnBalancer.class)
    static class Date {}

    @LoadBalancerClients(defaultConfiguration = OwnBalancer.class)
    static class Elderberry {}

    @LoadBalancerClients(defaultConfiguration = OwnBalancer.class)
    static class FigApplication {}

    @LoadBalancerClients(defaultConfiguration = OwnBalancer.class)
    static class GrapeConfiguration {}
}

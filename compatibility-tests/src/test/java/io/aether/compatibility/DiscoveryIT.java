// SPDX-License-Identifier: Apache-2.0
package io.aether.compatibility;

import static org.assertj.core.api.Assertions.assertThat;

import io.aether.starter.balancer.ServiceFleets;
import io.aether.starter.testing.Apps;
import io.aether.starter.testing.Backend;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.cloud.client.discovery.DiscoveryClient;
import org.springframework.cloud.client.loadbalancer.LoadBalanced;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.client.RestTemplate;

/** Instances come from the client of each registry, whose answers a real HTTP server gives; Aether chooses among them. */
class DiscoveryIT {

    @ParameterizedTest
    @EnumSource
    void instancesAreFoundAndChosen(Registry kind) {
        try (Backend first = new Backend();
                Backend second = new Backend();
                Backend registry = new Backend()) {
            List<Backend> shops = kind.listed(List.of(first, second));
            kind.servedBy(registry, shops);
            try (ConfigurableApplicationContext app =
                    Start.app(App.class, WebApplicationType.NONE, List.of(), kind.properties(registry))) {
                assertThat(app.getBean(DiscoveryClient.class).getInstances(Apps.SERVICE))
                        .hasSameSizeAs(shops);
                RestTemplate client = app.getBean(RestTemplate.class);
                for (int i = 0; i < 20; i++) {
                    assertThat(client.getForObject("http://shop/", String.class))
                            .isEqualTo("ok");
                }
                assertThat(shops).allMatch(shop -> shop.requests() > 0);
                assertThat(app.getBean(ServiceFleets.class).get(Apps.SERVICE).instances())
                        .extracting(instance -> instance.key().port())
                        .containsExactlyInAnyOrderElementsOf(
                                shops.stream().map(Backend::port).toList());
            }
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class App {

        /** A balanced RestClient.Builder would also be taken by Eureka's own client, with Spring's balancer too. */
        @Bean
        @LoadBalanced
        RestTemplate restTemplate() {
            return new RestTemplate();
        }
    }
}

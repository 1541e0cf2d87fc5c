// SPDX-License-Identifier: Apache-2.0
package io.aether.compatibility;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.aether.core.pick.Instance;
import io.aether.starter.balancer.ServiceFleet;
import io.aether.starter.balancer.ServiceFleets;
import io.aether.starter.testing.Apps;
import io.aether.starter.testing.Backend;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.cloud.openfeign.EnableFeignClients;
import org.springframework.cloud.openfeign.FeignClient;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.bind.annotation.GetMapping;

/** OpenFeign: balanced and counted, not limited (docs/configuration.md). */
class FeignIT {

    @Test
    void aFailingInstanceIsLeft() {
        try (Backend good = new Backend();
                Backend bad = new Backend();
                ConfigurableApplicationContext app =
                        Start.app(App.class, WebApplicationType.NONE, List.of(good, bad))) {
            bad.fails(503);
            Shop shop = app.getBean(Shop.class);
            call(shop, 20);
            good.forget();
            bad.forget();
            call(shop, 50);
            assertThat(bad.requests()).isLessThan(15);
            assertThat(good.requests()).isGreaterThan(35);
            ServiceFleet fleet = app.getBean(ServiceFleets.class).get(Apps.SERVICE);
            await().untilAsserted(() ->
                    assertThat(fleet.instances()).extracting(Instance::inFlight).containsOnly(0));
        }
    }

    private static void call(Shop shop, int times) {
        for (int i = 0; i < times; i++) {
            try {
                assertThat(shop.get()).isEqualTo("ok");
            } catch (feign.FeignException.ServiceUnavailable refused) {
                assertThat(refused.status()).isEqualTo(503);
            }
        }
    }

    @FeignClient(Apps.SERVICE)
    interface Shop {
        @GetMapping("/")
        String get();
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @EnableFeignClients(clients = Shop.class)
    static class App {}
}

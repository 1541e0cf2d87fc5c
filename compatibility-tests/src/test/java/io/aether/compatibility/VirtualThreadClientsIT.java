// SPDX-License-Identifier: Apache-2.0
package io.aether.compatibility;

import static org.assertj.core.api.Assertions.assertThat;

import io.aether.core.pick.Instance;
import io.aether.starter.balancer.ServiceFleets;
import io.aether.starter.testing.Apps;
import io.aether.starter.testing.Backend;
import io.aether.starter.testing.BalancedClients;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.core.task.SimpleAsyncTaskExecutor;
import org.springframework.web.client.RestClient;

/** RestClient on virtual threads: many calls at the same time, all counted, and hedged on threads of the same kind. */
@EnabledForJreRange(min = JRE.JAVA_21, disabledReason = "virtual threads come with Java 21")
class VirtualThreadClientsIT {

    @Test
    void manyCallsAtOnce() {
        try (Backend first = new Backend().slow(200);
                Backend second = new Backend().slow(200);
                ConfigurableApplicationContext app = Start.app(
                        App.class,
                        WebApplicationType.NONE,
                        List.of(first, second),
                        "aether.hedge.mode=observe",
                        "spring.threads.virtual.enabled=true")) {
            RestClient client = app.getBean(RestClient.Builder.class).build();
            SimpleAsyncTaskExecutor threads = new SimpleAsyncTaskExecutor("call-");
            threads.setVirtualThreads(true);
            List<CompletableFuture<String>> calls = new ArrayList<>();
            for (int i = 0; i < 200; i++) {
                calls.add(CompletableFuture.supplyAsync(
                        () -> client.get().uri("http://shop/").retrieve().body(String.class), threads));
            }
            assertThat(calls).allSatisfy(call -> assertThat(call.join()).isEqualTo("late"));
            assertThat(first.requests() + second.requests()).isEqualTo(200);
            assertThat(first.requests()).isBetween(60, 140);
            assertThat(app.getBean(ServiceFleets.class).get(Apps.SERVICE).instances())
                    .extracting(Instance::inFlight)
                    .containsOnly(0);
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @Import(BalancedClients.class)
    static class App {}
}

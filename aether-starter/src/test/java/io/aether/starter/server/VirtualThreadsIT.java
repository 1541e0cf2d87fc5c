// SPDX-License-Identifier: Apache-2.0
package io.aether.starter.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.aether.starter.context.ContextHeaders;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.core.task.support.ContextPropagatingTaskDecorator;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

/** A servlet application on virtual threads: no pool whose queue could be looked at. */
@EnabledForJreRange(min = JRE.JAVA_21)
class VirtualThreadsIT {

    @Test
    void theQueueForTheirCarriersIsMeasured() throws Exception {
        try (Served app = new Served(
                App.class,
                WebApplicationType.SERVLET,
                "spring.threads.virtual.enabled=true",
                "aether.server.objective=250ms")) {
            assertThat(app.get("/async", ContextHeaders.PRIORITY, "bulk").body())
                    .startsWith("BULK");
            List<CompletableFuture<HttpResponse<String>>> sleeping = new ArrayList<>();
            for (int i = 0; i < 100; i++) {
                sleeping.add(app.later("/sleeps/500"));
            }
            assertThat(sleeping)
                    .allSatisfy(one -> assertThat(one.join().statusCode()).isEqualTo(200));
            List<CompletableFuture<HttpResponse<String>>> spinning = new ArrayList<>();
            for (int i = 0; i < 200; i++) {
                spinning.add(app.later("/spins/20", ContextHeaders.PRIORITY, "bulk"));
            }
            // Four seconds of work for a CPU, of which 55 ms of queue are allowed.
            long refused = spinning.stream()
                    .filter(one -> one.join().statusCode() == 503)
                    .count();
            assertThat(refused).isBetween(20L, 199L);
            await().untilAsserted(
                            () -> assertThat(app.get("/async").statusCode()).isEqualTo(200));
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @Import({ServletApp.Controller.class, Spinning.class})
    static class App {
        @Bean
        ContextPropagatingTaskDecorator decorator() {
            return new ContextPropagatingTaskDecorator();
        }
    }

    @RestController
    static class Spinning {
        @GetMapping("/spins/{millis}")
        String spins(@PathVariable long millis) {
            long end = System.nanoTime() + millis * 1_000_000;
            while (System.nanoTime() < end) {
                Thread.onSpinWait();
            }
            return "spun";
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.aether.starter.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Mono;

/** Event loops that have more to do than they can: requests that they have not read are the queue. Alone, for loops are shared. */
class BusyEventLoopsIT {

    @Test
    void whatTheyHaveNotReadIsTheQueue() {
        try (Served app = new Served(
                App.class,
                WebApplicationType.REACTIVE,
                "aether.server.objective=250ms",
                "aether.server.priority=bulk")) {
            List<CompletableFuture<HttpResponse<String>>> requests = new ArrayList<>();
            for (int i = 0; i < 300; i++) {
                requests.add(app.later("/spins/50"));
            }
            // Fifteen seconds of work for a handful of loops, of which 55 ms of queue are allowed.
            long refused = requests.stream()
                    .filter(one -> one.join().statusCode() == 503)
                    .count();
            assertThat(refused).isBetween(50L, 299L);
            await().untilAsserted(
                            () -> assertThat(app.get("/spins/0").statusCode()).isEqualTo(200));
            assertThat(app.bean(ServerLoad.class).inFlight()).isZero();
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @Import(Controller.class)
    static class App {}

    @RestController
    static class Controller {
        @GetMapping("/spins/{millis}")
        Mono<String> spins(@PathVariable long millis) {
            long end = System.nanoTime() + millis * 1_000_000;
            while (System.nanoTime() < end) {
                Thread.onSpinWait();
            }
            return Mono.just("spun");
        }
    }
}

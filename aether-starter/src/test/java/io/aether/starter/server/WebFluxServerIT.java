// SPDX-License-Identifier: Apache-2.0
package io.aether.starter.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.aether.core.limit.Priority;
import io.aether.core.pick.Mode;
import io.aether.starter.context.ContextHeaders;
import io.aether.starter.context.RequestContexts;
import java.net.Socket;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.reactive.function.server.RouterFunction;
import org.springframework.web.reactive.function.server.RouterFunctions;
import org.springframework.web.reactive.function.server.ServerResponse;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/** A reactive application on Netty, over HTTP. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class WebFluxServerIT {

    private Served app;

    @BeforeAll
    void start() {
        app = new Served(
                App.class,
                WebApplicationType.REACTIVE,
                "aether.server.objective=1s",
                "aether.server.routes[0].path=/function/bulk",
                "aether.server.routes[0].priority=bulk");
    }

    @AfterAll
    void stop() {
        app.close();
    }

    @BeforeEach
    void quiet() {
        app.queue(0);
    }

    @Test
    void theLeastImportantAreRefusedFirst() throws Exception {
        app.takes(10);
        app.queue(30); // 300 ms of 400.
        assertThat(app.status("/context", Priority.BULK)).isEqualTo(503);
        assertThat(app.status("/context", Priority.CRITICAL)).isEqualTo(200);
        assertThat(app.get("/bulk/7").statusCode()).isEqualTo(503);
        assertThat(app.get("/bulk/urgent").statusCode()).isEqualTo(200);
        assertThat(app.get("/function/bulk").statusCode()).isEqualTo(503);
        assertThat(app.get("/function/other").statusCode()).isEqualTo(200);
        app.queue(50);
        HttpResponse<String> refused = app.get("/context");
        assertThat(refused.statusCode()).isEqualTo(503);
        assertThat(refused.headers().firstValue("Retry-After")).hasValue("1");
        assertThat(refused.headers().firstValue(ContextHeaders.PRESSURE)).hasValue("255");
        await().untilAsserted(
                        () -> assertThat(app.bean(ServerLoad.class).inFlight()).isZero());
    }

    @Test
    void whatIsTooLateIsNotBegun() throws Exception {
        assertThat(app.get("/context", ContextHeaders.DEADLINE, "0").statusCode())
                .isEqualTo(504);
        app.takes(10);
        app.queue(10);
        assertThat(app.get("/context", ContextHeaders.DEADLINE, "60").statusCode())
                .isEqualTo(503);
        assertThat(app.bean(ServerGate.class).refusals(Mode.ON, Verdict.EXPIRED, Priority.CRITICAL))
                .isOne();
    }

    @Test
    void theContextIsInTheChain() throws Exception {
        String[] bulk = {ContextHeaders.PRIORITY, "bulk", ContextHeaders.USER, "8388608"};
        assertThat(app.get("/context", bulk).body()).isEqualTo("BULK rank 0.5");
        assertThat(app.get("/hops", bulk).body()).isEqualTo("BULK rank 0.5");
        assertThat(app.get("/function/other", bulk).body()).isEqualTo("BULK rank 0.5");
        assertThat(app.get("/context").body()).isEqualTo("CRITICAL rank 0.0");
    }

    @Test
    void answersTellOfTheHighestPressure() throws Exception {
        // A machine that is busy otherwise makes a little queue of its own.
        assertThat(pressure("/context")).isBetween(0, 80);
        assertThat(pressure("/heard/90")).isEqualTo(90);
        assertThat(pressure("/nowhere")).isBetween(0, 80);
    }

    private int pressure(String path) throws Exception {
        return app.get(path)
                .headers()
                .firstValue(ContextHeaders.PRESSURE)
                .map(Integer::parseInt)
                .orElse(-1);
    }

    @Test
    void aClientThatHangsUpIsNoLongerInFlight() throws Exception {
        ServerLoad load = app.bean(ServerLoad.class);
        try (Socket socket = new Socket("127.0.0.1", app.port())) {
            socket.setSoLinger(true, 0);
            socket.getOutputStream()
                    .write("GET /sleeps/20000 HTTP/1.1\r\nHost: a\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
            await().untilAsserted(() -> assertThat(load.inFlight()).isOne());
        }
        await().untilAsserted(() -> assertThat(load.inFlight()).isZero());
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @Import(Controller.class)
    static class App {
        @Bean
        RouterFunction<ServerResponse> functions() {
            return RouterFunctions.route()
                    .GET("/function/{id}", request -> ServerResponse.ok().body(context(), String.class))
                    .build();
        }
    }

    static Mono<String> context() {
        return Mono.deferContextual(
                chain -> Mono.just(RequestContexts.current(chain).toString()));
    }

    @RestController
    static class Controller {

        @GetMapping({"/context", "/bulk/urgent"})
        Mono<String> read() {
            return context();
        }

        @GetMapping("/bulk/{id}")
        @RequestPriority(Priority.BULK)
        Mono<String> bulk(@PathVariable String id) {
            return context();
        }

        @GetMapping("/hops")
        Flux<String> hops() {
            return Flux.just(1)
                    .publishOn(Schedulers.boundedElastic())
                    .delayElements(Duration.ofMillis(1))
                    .flatMap(one -> context());
        }

        @GetMapping("/heard/{pressure}")
        Mono<String> heard(@PathVariable int pressure) {
            return Mono.deferContextual(chain -> {
                RequestContexts.current(chain).work().heard(pressure);
                return Mono.just("it");
            });
        }

        @GetMapping("/sleeps/{millis}")
        Mono<String> sleeps(@PathVariable long millis) {
            return Mono.delay(Duration.ofMillis(millis)).thenReturn("slept");
        }
    }
}

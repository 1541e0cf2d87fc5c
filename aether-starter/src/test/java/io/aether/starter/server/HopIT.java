// SPDX-License-Identifier: Apache-2.0
package io.aether.starter.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.aether.core.NanoClock;
import io.aether.starter.context.ContextHeaders;
import io.aether.starter.context.IgnoredHeaders;
import io.aether.starter.context.RequestContext;
import io.aether.starter.context.RequestContexts;
import java.net.http.HttpResponse;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.core.task.support.ContextPropagatingTaskDecorator;
import org.springframework.http.ResponseEntity;
import org.springframework.scheduling.concurrent.ThreadPoolTaskExecutor;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.client.RestClient;
import reactor.core.publisher.Mono;

/** A servlet application that calls a reactive one from a pool of threads. */
class HopIT {

    private Served back;
    private Served front;

    @BeforeEach
    void start() {
        back = new Served(Back.class, WebApplicationType.REACTIVE, "aether.server.objective=1s");
        front = new Served(
                Front.class,
                WebApplicationType.SERVLET,
                "aether.server.user.header=X-Customer",
                "test.back=http://127.0.0.1:" + back.port());
    }

    @AfterEach
    void stop() {
        front.close();
        back.close();
    }

    @Test
    void priorityUserAndDeadlineArriveAndPressureComesBack() throws Exception {
        back.takes(10);
        back.queue(10); // A quarter of its limit.
        HttpResponse<String> answer = front.get(
                "/front", ContextHeaders.PRIORITY, "degraded", ContextHeaders.DEADLINE, "5000", "X-Customer", "anna");
        String[] told = answer.body().split(" ");
        assertThat(told[0]).isEqualTo("DEGRADED");
        assertThat(Long.parseLong(told[1])).isBetween(1L, 4950L);
        assertThat(Float.parseFloat(told[2])).isEqualTo(front.bean(Users.class).rank("anna"));
        assertThat(Integer.parseInt(
                        answer.headers().firstValue(ContextHeaders.PRESSURE).orElseThrow()))
                .isBetween(63, 200);
        assertThat(front.bean(ServerLoad.class).downstream()).isZero();
    }

    @Test
    void aDeadlineThatPassedOnTheWayIsNotBegunBehind() throws Exception {
        HttpResponse<String> answer = front.get("/front", ContextHeaders.DEADLINE, "30");
        assertThat(answer.body()).isEqualTo("504");
    }

    @RestController
    static class FrontController {
        private final RestClient client;
        private final ThreadPoolTaskExecutor pool = new ThreadPoolTaskExecutor();
        private final NanoClock clock;

        FrontController(@Value("${test.back}") String back, NanoClock clock) {
            this.client = RestClient.create(back);
            this.clock = clock;
            pool.setTaskDecorator(new ContextPropagatingTaskDecorator());
            pool.setDaemon(true);
            pool.initialize();
        }

        @GetMapping("/front")
        String front() throws Exception {
            TimeUnit.MILLISECONDS.sleep(50);
            return pool.submit(this::call).get();
        }

        private String call() {
            RequestContext context = RequestContexts.current();
            context.work().callBegins();
            try {
                ResponseEntity<String> answer = client.get()
                        .uri("/back")
                        .headers(headers -> ContextHeaders.write(context, clock.nanos(), headers::set))
                        .retrieve()
                        .onStatus(status -> true, (request, response) -> {})
                        .toEntity(String.class);
                context.work()
                        .heard(ContextHeaders.pressure(
                                answer.getHeaders().getFirst(ContextHeaders.PRESSURE), new IgnoredHeaders()));
                String body = answer.getBody();
                return body == null ? Integer.toString(answer.getStatusCode().value()) : body;
            } finally {
                context.work().callEnds();
            }
        }
    }

    @RestController
    static class BackController {
        private final NanoClock clock;

        BackController(NanoClock clock) {
            this.clock = clock;
        }

        @GetMapping("/back")
        Mono<String> back() {
            return Mono.deferContextual(chain -> {
                RequestContext context = RequestContexts.current(chain);
                long millis = TimeUnit.NANOSECONDS.toMillis(context.remainingNanos(clock.nanos()));
                return Mono.just(context.priority() + " " + millis + " " + context.userRank());
            });
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @Import(FrontController.class)
    static class Front {}

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @Import(BackController.class)
    static class Back {}
}

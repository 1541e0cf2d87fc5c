// SPDX-License-Identifier: Apache-2.0
package io.aether.starter.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.Headers;
import io.aether.core.limit.Priority;
import io.aether.core.pick.Mode;
import io.aether.starter.context.ContextHeaders;
import io.aether.starter.context.IgnoredHeaders;
import io.aether.starter.context.IgnoredHeaders.Reason;
import io.aether.starter.context.RequestContext;
import io.aether.starter.context.RequestContexts;
import io.aether.starter.testing.Backend;
import java.net.http.HttpResponse;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.cloud.gateway.filter.GlobalFilter;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.annotation.Order;
import reactor.core.publisher.Mono;

/** A gateway before a real server: who comes from the outside has no say in what his requests are. */
class GatewayServerIT {

    private static final AtomicReference<RequestContext> SEEN = new AtomicReference<>();
    private static final String ROUTES = "spring.cloud.gateway.server.webflux.routes";

    private final Backend backend = new Backend();
    private final AtomicReference<Headers> arrived = new AtomicReference<>();

    @BeforeEach
    void listen() {
        SEEN.set(RequestContext.NONE);
        backend.does(exchange -> {
            arrived.set(exchange.getRequestHeaders());
            exchange.getResponseHeaders().set(ContextHeaders.PRESSURE, "200");
            Backend.answer(exchange, 200, "ok");
        });
    }

    @AfterEach
    void stop() {
        backend.close();
    }

    private Served gateway(String... more) {
        String[] properties = new String[more.length + 9];
        properties[0] = "spring.cloud.gateway.server.webflux.enabled=true";
        properties[1] = ROUTES + "[0].id=bulk";
        properties[2] = ROUTES + "[0].uri=" + backend.uri();
        properties[3] = ROUTES + "[0].predicates[0]=Path=/bulk";
        properties[4] = ROUTES + "[0].metadata.aether-priority=bulk";
        properties[5] = ROUTES + "[0].metadata.aether-deadline=2s";
        properties[6] = ROUTES + "[1].id=plain";
        properties[7] = ROUTES + "[1].uri=" + backend.uri();
        properties[8] = ROUTES + "[1].predicates[0]=Path=/plain";
        System.arraycopy(more, 0, properties, 9, more.length);
        return new Served(App.class, WebApplicationType.REACTIVE, properties);
    }

    private static HttpResponse<String> forged(Served gateway, String path) throws Exception {
        return gateway.get(
                path,
                ContextHeaders.PRIORITY,
                "degraded",
                ContextHeaders.DEADLINE,
                "77777",
                ContextHeaders.USER,
                "4711");
    }

    @Test
    void whatComesFromTheOutsideIsStrippedAndTheRouteSaysThePriority() throws Exception {
        try (Served gateway = gateway()) {
            HttpResponse<String> answer = forged(gateway, "/bulk");
            assertThat(answer.statusCode()).isEqualTo(200);
            assertThat(SEEN.get().priority()).isEqualTo(Priority.BULK);
            assertThat(SEEN.get().remainingNanos(System.nanoTime())).isBetween(1L, 2_000_000_000L);
            assertThat(SEEN.get().userRank()).isZero();
            assertThat(arrived.get().getFirst(ContextHeaders.PRIORITY)).isNotEqualTo("degraded");
            assertThat(arrived.get().getFirst(ContextHeaders.DEADLINE)).isNotEqualTo("77777");
            assertThat(arrived.get().getFirst(ContextHeaders.USER)).isNotEqualTo("4711");
            assertThat(answer.headers().firstValue(ContextHeaders.PRESSURE)).isEmpty();
            assertThat(gateway.bean(IgnoredHeaders.class).total(Reason.UNTRUSTED))
                    .isEqualTo(3);
            forged(gateway, "/plain");
            assertThat(SEEN.get().priority()).isEqualTo(Priority.CRITICAL);
        }
    }

    @Test
    void whoIsTrustedIsBelievedWithinTheRoute() throws Exception {
        try (Served gateway = gateway("aether.server.trust-headers=true")) {
            HttpResponse<String> answer = forged(gateway, "/plain");
            assertThat(SEEN.get().priority()).isEqualTo(Priority.DEGRADED);
            assertThat(SEEN.get().userRank()).isEqualTo(4711f / (1 << 24));
            forged(gateway, "/bulk");
            assertThat(SEEN.get().priority()).isEqualTo(Priority.BULK);
            assertThat(gateway.bean(IgnoredHeaders.class).total(Reason.UNTRUSTED))
                    .isZero();
            assertThat(answer.headers().firstValue(ContextHeaders.PRESSURE)).isPresent();
        }
    }

    @Test
    void aRouteIsJudgedByItsOwnPriority() throws Exception {
        try (Served gateway = gateway("aether.server.objective=1s")) {
            gateway.takes(10);
            gateway.queue(30);
            assertThat(gateway.get("/plain").statusCode()).isEqualTo(200);
            assertThat(gateway.get("/bulk").statusCode()).isEqualTo(503);
            assertThat(gateway.bean(ServerGate.class).refusals(Mode.ON, Verdict.OVERLOAD, Priority.BULK))
                    .isOne();
            await().untilAsserted(() ->
                    assertThat(gateway.bean(ServerLoad.class).inFlight()).isZero());
        }
    }

    @Test
    void aPriorityThatThereIsNotStopsTheGateway() {
        assertThatThrownBy(() -> gateway(ROUTES + "[1].metadata.aether-priority=urgent"))
                .hasStackTraceContaining("\"plain\"")
                .hasStackTraceContaining("urgent");
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class App {
        @Bean
        @Order(0)
        GlobalFilter spy() {
            return (exchange, chain) -> Mono.deferContextual(view -> {
                SEEN.set(RequestContexts.current(view));
                return chain.filter(exchange);
            });
        }
    }
}

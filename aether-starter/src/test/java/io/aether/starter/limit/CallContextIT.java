// SPDX-License-Identifier: Apache-2.0
package io.aether.starter.limit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.aether.core.limit.Priority;
import io.aether.starter.context.ContextHeaders;
import io.aether.starter.context.RequestContext;
import io.aether.starter.context.RequestContexts;
import io.aether.starter.context.ServerWork;
import io.aether.starter.testing.Apps;
import io.aether.starter.testing.Backend;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.boot.WebApplicationType;
import org.springframework.context.ConfigurableApplicationContext;

/** Every kind of client, called for a request that has a priority and a deadline, against a real server. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@SuppressWarnings("try") // Scopes are opened for their effect.
class CallContextIT {

    private final Backend idle = new Backend();
    private ConfigurableApplicationContext app;

    @BeforeAll
    void start() {
        app = Apps.start(
                ClientKinds.App.class,
                WebApplicationType.NONE,
                List.of(),
                ClientKinds.REACTIVE_SHOP,
                ClientKinds.REACTIVE_IDLE,
                "spring.cloud.discovery.client.simple.instances.idle[0].uri=" + idle.uri());
    }

    @AfterAll
    void stop() {
        app.close();
        idle.close();
    }

    @AfterEach
    void forget() {
        idle.forget();
    }

    @ParameterizedTest
    @MethodSource("io.aether.starter.limit.ClientKinds#all")
    void carriesTheContextOnAndTellsTheServer(String kind) {
        AtomicReference<String> priority = new AtomicReference<>();
        AtomicReference<String> deadline = new AtomicReference<>();
        idle.does(exchange -> {
            priority.set(exchange.getRequestHeaders().getFirst(ContextHeaders.PRIORITY));
            deadline.set(exchange.getRequestHeaders().getFirst(ContextHeaders.DEADLINE));
            exchange.getResponseHeaders().set(ContextHeaders.PRESSURE, "42");
            Backend.answer(exchange, 200, "ok");
        });
        Work work = new Work();
        long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
        ClientKinds.Client client = ClientKinds.of(kind, app);
        try (RequestContexts.Scope scope =
                RequestContexts.open(new RequestContext(Priority.BEST_EFFORT, until, 0, work))) {
            client.get("idle");
        }
        assertThat(priority).hasValue("best_effort");
        assertThat(Long.parseLong(deadline.get())).isBetween(20_000L, 30_000L);
        assertThat(work.heard).isEqualTo(42);
        await().untilAsserted(() -> assertThat(work.open).isZero());
        assertThat(work.calls).isEqualTo(1);
    }

    @ParameterizedTest
    @MethodSource("io.aether.starter.limit.ClientKinds#all")
    void aCallAfterTheDeadlineIsNotSent(String kind) {
        ClientKinds.Client client = ClientKinds.of(kind, app);
        try (RequestContexts.Scope scope = RequestContexts.open(
                new RequestContext(Priority.CRITICAL, System.nanoTime() - 1, 0, ServerWork.NONE))) {
            assertThatThrownBy(() -> client.get("idle")).isInstanceOf(DeadlinePassedException.class);
        }
        assertThat(idle.requests()).isZero();
    }

    /** A server's request that waits for calls. */
    private static final class Work implements ServerWork {
        private volatile int open;
        private volatile int calls;
        private volatile int heard = -1;

        @Override
        public synchronized void callBegins() {
            open++;
            calls++;
        }

        @Override
        public synchronized void callEnds() {
            open--;
        }

        @Override
        public synchronized void heard(int pressure) {
            heard = pressure;
        }
    }
}

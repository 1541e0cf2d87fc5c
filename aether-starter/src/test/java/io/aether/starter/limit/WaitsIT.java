// SPDX-License-Identifier: Apache-2.0
package io.aether.starter.limit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import io.aether.core.limit.Priority;
import io.aether.starter.context.ContextHeaders;
import io.aether.starter.context.RequestContext;
import io.aether.starter.context.RequestContexts;
import io.aether.starter.context.ServerWork;
import io.aether.starter.testing.Apps;
import io.aether.starter.testing.Backend;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.restclient.RestTemplateBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.client.RestClient;
import org.springframework.web.reactive.function.client.WebClient;

/** Calls that nobody balances: the server hears that its request waits, and the called one hears nothing. */
@SuppressWarnings("try") // Scopes are opened for their effect.
class WaitsIT {

    private final AtomicInteger open = new AtomicInteger();
    private final AtomicInteger calls = new AtomicInteger();
    private final ServerWork work = new ServerWork() {
        @Override
        public void callBegins() {
            open.incrementAndGet();
            calls.incrementAndGet();
        }

        @Override
        public void callEnds() {
            open.decrementAndGet();
        }

        @Override
        public void heard(int pressure) {}
    };

    @Test
    void areToldToTheServer() {
        try (Backend backend = new Backend();
                ConfigurableApplicationContext app = Apps.start(App.class, WebApplicationType.SERVLET, List.of())) {
            AtomicReference<String> priority = new AtomicReference<>();
            AtomicInteger waiting = new AtomicInteger();
            backend.does(exchange -> {
                waiting.set(open.get());
                priority.set(exchange.getRequestHeaders().getFirst(ContextHeaders.PRIORITY));
                Backend.answer(exchange, 200, "ok");
            });
            RestClient restClient = app.getBean(RestClient.Builder.class).build();
            WebClient webClient = app.getBean(WebClient.Builder.class).build();
            List<Consumer<String>> clients = List.of(
                    uri -> restClient.get().uri(uri).retrieve().toBodilessEntity(),
                    uri -> app.getBean(RestTemplateBuilder.class).build().getForObject(uri, String.class),
                    uri -> webClient
                            .get()
                            .uri(uri)
                            .retrieve()
                            .toBodilessEntity()
                            .block());
            for (Consumer<String> client : clients) {
                calls.set(0);
                try (RequestContexts.Scope scope =
                        RequestContexts.open(new RequestContext(Priority.BULK, RequestContext.NO_DEADLINE, 0, work))) {
                    client.accept(backend.uri());
                    assertThat(catchThrowable(() -> client.accept("http://127.0.0.1:1")))
                            .isNotNull();
                }
                assertThat(waiting).hasValue(1);
                assertThat(calls).hasValue(2);
                await().untilAsserted(() -> assertThat(open).hasValue(0));
                assertThat(priority).hasNullValue();
            }
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class App {}
}

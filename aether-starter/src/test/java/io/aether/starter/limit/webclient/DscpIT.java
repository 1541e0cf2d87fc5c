// SPDX-License-Identifier: Apache-2.0
package io.aether.starter.limit.webclient;

import static org.assertj.core.api.Assertions.assertThat;

import io.aether.core.limit.Priority;
import io.aether.starter.context.RequestContext;
import io.aether.starter.context.RequestContexts;
import io.aether.starter.context.ServerWork;
import io.aether.starter.testing.Apps;
import io.aether.starter.testing.Backend;
import io.netty.channel.ChannelOption;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.http.client.autoconfigure.reactive.ClientHttpConnectorBuilderCustomizer;
import org.springframework.boot.http.client.reactive.ReactorClientHttpConnectorBuilder;
import org.springframework.cloud.client.loadbalancer.LoadBalanced;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.client.reactive.ClientHttpConnector;
import org.springframework.web.reactive.function.client.WebClient;

/** What the kernel says of a connection's traffic class after a request. */
class DscpIT {

    private static final List<Integer> SEEN = new CopyOnWriteArrayList<>();

    private static void get(ConfigurableApplicationContext app, RequestContext context) {
        app.getBean(WebClient.Builder.class)
                .build()
                .get()
                .uri("http://shop/")
                .retrieve()
                .bodyToMono(String.class)
                .contextWrite(chain -> RequestContexts.write(chain, context))
                .block();
    }

    private static RequestContext context(Priority priority) {
        return new RequestContext(priority, RequestContext.NO_DEADLINE, 0, ServerWork.NONE);
    }

    @Test
    void aPooledConnectionTellsThePriorityOfTheRequestAtHand() {
        SEEN.clear();
        try (Backend backend = new Backend();
                ConfigurableApplicationContext app =
                        Apps.start(App.class, WebApplicationType.NONE, List.of(backend), "aether.limit.dscp=true")) {
            get(app, RequestContext.NONE);
            get(app, context(Priority.CRITICAL));
            get(app, context(Priority.BULK));
            get(app, context(Priority.BULK));
            get(app, RequestContext.NONE);
        }
        assertThat(SEEN).containsExactly(0, 34 << 2, 1 << 2, 1 << 2, 0);
    }

    @Test
    void withoutThePropertyNothingIsTold() {
        SEEN.clear();
        try (Backend backend = new Backend();
                ConfigurableApplicationContext app = Apps.start(App.class, WebApplicationType.NONE, List.of(backend))) {
            get(app, context(Priority.CRITICAL));
        }
        assertThat(SEEN).containsExactly(0);
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class App {

        @Bean
        @LoadBalanced
        WebClient.Builder webClientBuilder(ClientHttpConnector connector) {
            return WebClient.builder().clientConnector(connector);
        }

        @Bean
        ClientHttpConnectorBuilderCustomizer<ReactorClientHttpConnectorBuilder> watch() {
            return builder -> builder.withHttpClientCustomizer(client -> client.doAfterRequest((request, connection) ->
                    SEEN.add(connection.channel().config().getOption(ChannelOption.IP_TOS))));
        }
    }
}

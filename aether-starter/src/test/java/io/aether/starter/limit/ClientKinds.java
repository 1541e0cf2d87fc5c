// SPDX-License-Identifier: Apache-2.0
package io.aether.starter.limit;

import io.aether.starter.testing.BalancedClients;
import java.util.stream.Stream;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.web.client.RestClient;
import org.springframework.web.client.RestTemplate;
import org.springframework.web.reactive.function.client.WebClient;
import org.springframework.web.service.annotation.GetExchange;
import org.springframework.web.service.registry.HttpServiceGroup;
import org.springframework.web.service.registry.ImportHttpServices;

/** An application with every kind of client of the services {@code shop} and {@code idle}. */
final class ClientKinds {

    static final String REACTIVE_SHOP = "spring.http.serviceclient.reactive-shop.base-url=lb://shop";
    static final String REACTIVE_IDLE = "spring.http.serviceclient.reactive-idle.base-url=lb://idle";

    private ClientKinds() {}

    /** A way to call a service; throws if the call fails. */
    interface Client {
        void get(String service);
    }

    static Stream<String> all() {
        return Stream.of(
                "WebClient",
                "RestClient",
                "RestTemplate",
                "HTTP interface on RestClient",
                "HTTP interface on WebClient");
    }

    static Client of(String kind, ConfigurableApplicationContext app) {
        return switch (kind) {
            case "WebClient" -> {
                WebClient client = app.getBean(WebClient.Builder.class).build();
                yield service -> client.get()
                        .uri("http://" + service + "/x")
                        .retrieve()
                        .bodyToMono(String.class)
                        .block();
            }
            case "RestClient" -> {
                RestClient client = app.getBean(RestClient.Builder.class).build();
                yield service ->
                        client.get().uri("http://" + service + "/x").retrieve().body(String.class);
            }
            case "RestTemplate" -> {
                RestTemplate client = app.getBean(RestTemplate.class);
                yield service -> client.getForObject("http://" + service + "/x", String.class);
            }
            case "HTTP interface on RestClient" -> {
                Shop shop = app.getBean(Shop.class);
                Idle other = app.getBean(Idle.class);
                yield service -> {
                    String unused = service.equals("idle") ? other.get() : shop.get();
                };
            }
            default -> {
                ReactiveShop shop = app.getBean(ReactiveShop.class);
                ReactiveIdle other = app.getBean(ReactiveIdle.class);
                yield service -> {
                    String unused = service.equals("idle") ? other.get() : shop.get();
                };
            }
        };
    }

    interface Shop {
        @GetExchange("/x")
        String get();
    }

    interface Idle {
        @GetExchange("/x")
        String get();
    }

    interface ReactiveShop {
        @GetExchange("/x")
        String get();
    }

    interface ReactiveIdle {
        @GetExchange("/x")
        String get();
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @Import(BalancedClients.class)
    @ImportHttpServices(group = "shop", types = Shop.class, clientType = HttpServiceGroup.ClientType.REST_CLIENT)
    @ImportHttpServices(group = "idle", types = Idle.class, clientType = HttpServiceGroup.ClientType.REST_CLIENT)
    @ImportHttpServices(
            group = "reactive-shop",
            types = ReactiveShop.class,
            clientType = HttpServiceGroup.ClientType.WEB_CLIENT)
    @ImportHttpServices(
            group = "reactive-idle",
            types = ReactiveIdle.class,
            clientType = HttpServiceGroup.ClientType.WEB_CLIENT)
    static class App {}
}

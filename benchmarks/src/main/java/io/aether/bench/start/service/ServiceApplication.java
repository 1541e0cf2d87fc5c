// SPDX-License-Identifier: Apache-2.0
package io.aether.bench.start.service;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.cloud.client.loadbalancer.LoadBalanced;
import org.springframework.context.annotation.Bean;
import org.springframework.web.reactive.function.client.WebClient;
import org.springframework.web.reactive.function.server.RouterFunction;
import org.springframework.web.reactive.function.server.RouterFunctions;
import org.springframework.web.reactive.function.server.ServerResponse;

/** Asks another service by its name, through whatever balancer is on its class path. */
@SpringBootConfiguration(proxyBeanMethods = false)
@EnableAutoConfiguration
public class ServiceApplication {

    public static void main(String[] args) {
        SpringApplication.run(ServiceApplication.class, args);
    }

    @Bean
    @LoadBalanced
    WebClient.Builder balanced() {
        return WebClient.builder();
    }

    @Bean
    RouterFunction<ServerResponse> router(WebClient.Builder clients) {
        WebClient client = clients.build();
        return RouterFunctions.route()
                .GET(
                        "/checkout",
                        request -> client.get()
                                .uri("http://checkout/checkout")
                                .retrieve()
                                .bodyToMono(String.class)
                                .flatMap(ServerResponse.ok()::bodyValue))
                .build();
    }
}

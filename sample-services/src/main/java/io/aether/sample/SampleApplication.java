// SPDX-License-Identifier: Apache-2.0
package io.aether.sample;

import io.aether.starter.server.ServerLoad;
import io.micrometer.observation.ObservationRegistry;
import io.netty.channel.ChannelOption;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.autoconfigure.condition.ConditionalOnExpression;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.cloud.client.loadbalancer.LoadBalanced;
import org.springframework.cloud.loadbalancer.support.LoadBalancerClientFactory;
import org.springframework.cloud.loadbalancer.support.LoadBalancerEagerContextInitializer;
import org.springframework.context.annotation.Bean;
import org.springframework.http.client.reactive.ReactorClientHttpConnector;
import org.springframework.web.reactive.function.client.WebClient;
import org.springframework.web.reactive.function.server.RouterFunction;
import org.springframework.web.reactive.function.server.RouterFunctions;
import org.springframework.web.reactive.function.server.ServerResponse;
import reactor.netty.http.client.HttpClient;

/** One process of the checkout graph; {@code sample.services} says which of its services it serves. */
@SpringBootApplication(proxyBeanMethods = false)
@EnableConfigurationProperties(SampleProperties.class)
public class SampleApplication {

    public static void main(String[] args) {
        SpringApplication.run(SampleApplication.class, args);
    }

    @Bean
    @LoadBalanced
    WebClient.Builder balanced(SampleProperties properties, ObservationRegistry observations) {
        HttpClient http = HttpClient.create()
                .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, (int)
                        properties.connectTimeout().toMillis())
                .responseTimeout(properties.responseTimeout());
        return WebClient.builder()
                .clientConnector(new ReactorClientHttpConnector(http))
                .observationRegistry(observations)
                .observationConvention(new EdgeConvention());
    }

    /** What Spring makes for each called service at its first call, at the start instead. */
    @Bean
    LoadBalancerEagerContextInitializer callees(LoadBalancerClientFactory factory, SampleProperties properties) {
        return new LoadBalancerEagerContextInitializer(factory, Graph.calledBy(properties.services()));
    }

    @Bean
    @ConditionalOnExpression("${sample.workers:0} > 0")
    Desk desk(SampleProperties properties, ObjectProvider<ServerLoad> load) {
        return new Desk(properties.workers(), load);
    }

    @Bean
    RouterFunction<ServerResponse> router(Routes routes, GraphRoute graph) {
        return RouterFunctions.route()
                .GET("/served", routes::served)
                .GET("/graph", graph::tell)
                .POST("/fault/errors/{state:on|off}", routes::errors)
                .GET("/{service}", routes::serve)
                .build();
    }
}

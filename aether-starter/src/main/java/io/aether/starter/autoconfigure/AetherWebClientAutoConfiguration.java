// SPDX-License-Identifier: Apache-2.0
package io.aether.starter.autoconfigure;

import io.aether.starter.hedge.Hedges;
import io.aether.starter.inflight.Flights;
import io.aether.starter.inflight.webclient.CountedExchangeFilter;
import io.aether.starter.inflight.webclient.CountedRetryingExchangeFilter;
import io.aether.starter.inflight.webclient.Counting;
import io.aether.starter.limit.BranchLimits;
import io.aether.starter.limit.webclient.Dscp;
import java.util.List;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.http.client.autoconfigure.reactive.ClientHttpConnectorBuilderCustomizer;
import org.springframework.boot.http.client.reactive.ReactorClientHttpConnectorBuilder;
import org.springframework.cloud.client.ServiceInstance;
import org.springframework.cloud.client.loadbalancer.reactive.LoadBalancerClientRequestTransformer;
import org.springframework.cloud.client.loadbalancer.reactive.LoadBalancerRetryPolicy;
import org.springframework.cloud.client.loadbalancer.reactive.ReactiveLoadBalancer;
import org.springframework.cloud.client.loadbalancer.reactive.ReactorLoadBalancerClientAutoConfiguration;
import org.springframework.cloud.client.loadbalancer.reactive.ReactorLoadBalancerExchangeFilterFunction;
import org.springframework.cloud.client.loadbalancer.reactive.RetryableLoadBalancerExchangeFilterFunction;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.reactive.function.client.WebClient;
import reactor.netty.http.client.HttpClient;

/** Counts the requests of load-balanced WebClients, and of HTTP interface clients that use them. */
@AutoConfiguration(
        after = {AetherAutoConfiguration.class, AetherCallAutoConfiguration.class},
        before = ReactorLoadBalancerClientAutoConfiguration.class)
@ConditionalOnClass(WebClient.class)
@ConditionalOnBean({ReactiveLoadBalancer.Factory.class, Flights.class, BranchLimits.class, Hedges.class})
public final class AetherWebClientAutoConfiguration {

    private static final String RETRY = "spring.cloud.loadbalancer.retry.enabled";

    @Bean
    @ConditionalOnMissingBean(ReactorLoadBalancerExchangeFilterFunction.class)
    @ConditionalOnProperty(name = RETRY, havingValue = "false", matchIfMissing = true)
    CountedExchangeFilter aetherExchangeFilter(
            ReactiveLoadBalancer.Factory<ServiceInstance> clients,
            ObjectProvider<List<LoadBalancerClientRequestTransformer>> transformers,
            Flights flights,
            BranchLimits limits,
            Hedges hedges) {
        return new CountedExchangeFilter(
                clients, transformers.getIfAvailable(List::of), new Counting(flights, limits, hedges));
    }

    @Bean
    @ConditionalOnMissingBean(RetryableLoadBalancerExchangeFilterFunction.class)
    @ConditionalOnProperty(name = RETRY, havingValue = "true")
    CountedRetryingExchangeFilter aetherRetryingExchangeFilter(
            LoadBalancerRetryPolicy.Factory retries,
            ReactiveLoadBalancer.Factory<ServiceInstance> clients,
            ObjectProvider<List<LoadBalancerClientRequestTransformer>> transformers,
            Flights flights,
            BranchLimits limits,
            Hedges hedges) {
        return new CountedRetryingExchangeFilter(
                retries, clients, transformers.getIfAvailable(List::of), new Counting(flights, limits, hedges));
    }

    /** For clients whose connector Spring Boot makes; others call {@link Dscp#on} themselves. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass({HttpClient.class, ClientHttpConnectorBuilderCustomizer.class})
    @ConditionalOnProperty("aether.limit.dscp")
    static class Connections {

        @Bean
        ClientHttpConnectorBuilderCustomizer<ReactorClientHttpConnectorBuilder> aetherDscp() {
            return builder -> builder.withHttpClientCustomizer(Dscp::on);
        }
    }
}

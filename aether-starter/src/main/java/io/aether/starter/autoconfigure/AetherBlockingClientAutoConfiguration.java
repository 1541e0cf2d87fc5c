// SPDX-License-Identifier: Apache-2.0
package io.aether.starter.autoconfigure;

import io.aether.starter.balancer.ServiceFleets;
import io.aether.starter.hedge.Hedges;
import io.aether.starter.inflight.Flights;
import io.aether.starter.inflight.blocking.CountedRequestFactory;
import io.aether.starter.inflight.blocking.SecondAttempts;
import io.aether.starter.limit.BranchLimits;
import java.util.List;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.cloud.client.ServiceInstance;
import org.springframework.cloud.client.loadbalancer.LoadBalancerAutoConfiguration;
import org.springframework.cloud.client.loadbalancer.LoadBalancerClient;
import org.springframework.cloud.client.loadbalancer.LoadBalancerRequestFactory;
import org.springframework.cloud.client.loadbalancer.LoadBalancerRequestTransformer;
import org.springframework.cloud.client.loadbalancer.reactive.ReactiveLoadBalancer;
import org.springframework.cloud.loadbalancer.config.BlockingLoadBalancerClientAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.core.env.Environment;
import org.springframework.http.client.ClientHttpRequestInterceptor;

/**
 * Counts the requests of load-balanced RestClients and RestTemplates, and of HTTP interface clients that use them. A user's own
 * factory is left alone; its requests are counted by the lifecycle then.
 */
@AutoConfiguration(
        after = {
            AetherAutoConfiguration.class,
            AetherCallAutoConfiguration.class,
            BlockingLoadBalancerClientAutoConfiguration.class
        },
        before = LoadBalancerAutoConfiguration.class)
@ConditionalOnClass(ClientHttpRequestInterceptor.class)
@ConditionalOnMissingBean(LoadBalancerRequestFactory.class)
@ConditionalOnBean({LoadBalancerClient.class, Flights.class, BranchLimits.class, Hedges.class})
public final class AetherBlockingClientAutoConfiguration {

    @Bean
    CountedRequestFactory aetherRequestFactory(
            LoadBalancerClient client,
            ObjectProvider<LoadBalancerRequestTransformer> transformers,
            ServiceFleets fleets,
            Flights flights,
            BranchLimits limits,
            SecondAttempts seconds) {
        List<LoadBalancerRequestTransformer> all = transformers.orderedStream().toList();
        return new CountedRequestFactory(client, all, fleets, flights, limits, seconds);
    }

    @Bean
    SecondAttempts aetherSecondAttempts(
            Hedges hedges,
            Flights flights,
            LoadBalancerClient client,
            ReactiveLoadBalancer.Factory<ServiceInstance> clients,
            Environment environment) {
        return new SecondAttempts(hedges, flights, client, clients, HedgeThreads.of(environment));
    }

    @Bean
    AetherAutoConfiguration.BlockingRequestsCounted aetherBlockingRequestsCounted() {
        return new AetherAutoConfiguration.BlockingRequestsCounted();
    }
}

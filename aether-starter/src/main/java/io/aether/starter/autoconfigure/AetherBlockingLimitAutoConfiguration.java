// SPDX-License-Identifier: Apache-2.0
package io.aether.starter.autoconfigure;

import io.aether.starter.limit.BranchLimits;
import io.aether.starter.limit.blocking.AskingLoadBalancerClient;
import io.aether.starter.limit.blocking.GrantedRetryFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.cloud.client.ServiceInstance;
import org.springframework.cloud.client.loadbalancer.BlockingRestClassesPresentCondition;
import org.springframework.cloud.client.loadbalancer.LoadBalancedRetryFactory;
import org.springframework.cloud.client.loadbalancer.LoadBalancerClient;
import org.springframework.cloud.client.loadbalancer.reactive.ReactiveLoadBalancer;
import org.springframework.cloud.loadbalancer.blocking.retry.BlockingLoadBalancedRetryFactory;
import org.springframework.cloud.loadbalancer.config.BlockingLoadBalancerClientAutoConfiguration;
import org.springframework.cloud.loadbalancer.support.LoadBalancerClientFactory;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.retry.support.RetryTemplate;

/** Lets load-balanced RestClients and RestTemplates ask the limiters before they choose, and before they retry. */
@AutoConfiguration(
        after = AetherCallAutoConfiguration.class,
        before = BlockingLoadBalancerClientAutoConfiguration.class)
@Conditional(BlockingRestClassesPresentCondition.class)
@ConditionalOnBean({LoadBalancerClientFactory.class, BranchLimits.class})
public final class AetherBlockingLimitAutoConfiguration {

    @Bean
    @ConditionalOnMissingBean(LoadBalancerClient.class)
    AskingLoadBalancerClient aetherLoadBalancerClient(LoadBalancerClientFactory clients) {
        return new AskingLoadBalancerClient(clients);
    }

    /** A user's own factory is left alone; its retries ask the limiter but draw on no budget. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(RetryTemplate.class)
    static class Retries {

        @Bean
        @ConditionalOnMissingBean(LoadBalancedRetryFactory.class)
        GrantedRetryFactory aetherRetryFactory(ReactiveLoadBalancer.Factory<ServiceInstance> clients) {
            return new GrantedRetryFactory(new BlockingLoadBalancedRetryFactory(clients));
        }
    }
}

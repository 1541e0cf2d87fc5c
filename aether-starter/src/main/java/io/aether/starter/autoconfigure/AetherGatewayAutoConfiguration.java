// SPDX-License-Identifier: Apache-2.0
package io.aether.starter.autoconfigure;

import io.aether.starter.balancer.ServiceFleets;
import io.aether.starter.hedge.Hedges;
import io.aether.starter.hedge.gateway.HedgeFilter;
import io.aether.starter.inflight.Flights;
import io.aether.starter.inflight.gateway.FlightFilter;
import io.aether.starter.inflight.gateway.TripFilter;
import io.aether.starter.limit.BranchLimits;
import io.aether.starter.limit.gateway.LimitFilter;
import io.aether.starter.limit.gateway.RetryFilterReplacer;
import io.aether.starter.limit.webclient.Dscp;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.cloud.gateway.config.HttpClientCustomizer;
import org.springframework.cloud.gateway.filter.GlobalFilter;
import org.springframework.cloud.gateway.filter.ReactiveLoadBalancerClientFilter;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.annotation.Bean;
import org.springframework.web.reactive.DispatcherHandler;

/** Counts and limits the exchanges of Spring Cloud Gateway on WebFlux, and lets its retries avoid the instance that failed. */
@AutoConfiguration(after = {AetherAutoConfiguration.class, AetherCallAutoConfiguration.class})
@ConditionalOnClass({GlobalFilter.class, ReactiveLoadBalancerClientFilter.class, DispatcherHandler.class})
@ConditionalOnProperty(name = "spring.cloud.gateway.server.webflux.enabled", matchIfMissing = true)
@ConditionalOnBean({Flights.class, BranchLimits.class, Hedges.class})
public final class AetherGatewayAutoConfiguration {

    @Bean
    @ConditionalOnMissingBean
    TripFilter aetherTripFilter(Flights flights) {
        return new TripFilter(flights);
    }

    @Bean
    @ConditionalOnMissingBean
    FlightFilter aetherFlightFilter(ServiceFleets fleets, AetherProperties properties) {
        return new FlightFilter(properties.decisions().header() ? fleets : null);
    }

    @Bean
    @ConditionalOnMissingBean
    LimitFilter aetherLimitFilter(BranchLimits limits) {
        return new LimitFilter(limits);
    }

    @Bean
    @ConditionalOnMissingBean
    HedgeFilter aetherHedgeFilter(Hedges hedges, LimitFilter limits) {
        return new HedgeFilter(hedges, limits);
    }

    @Bean
    static RetryFilterReplacer aetherRetryFilterReplacer(ApplicationEventPublisher events) {
        return new RetryFilterReplacer(events);
    }

    @Bean
    @ConditionalOnProperty("aether.limit.dscp")
    HttpClientCustomizer aetherGatewayDscp() {
        return Dscp::on;
    }
}

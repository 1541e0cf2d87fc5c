// SPDX-License-Identifier: Apache-2.0
package io.aether.starter.autoconfigure;

import io.aether.starter.diagnostics.WrongSettingException;
import io.aether.starter.housekeeping.Housekeeping;
import io.aether.starter.server.ServerEntry;
import io.aether.starter.server.gateway.Ingress;
import io.aether.starter.server.gateway.RouteContextFilter;
import io.aether.starter.server.gateway.RouteWords;
import java.util.Map;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.cloud.gateway.config.GatewayProperties;
import org.springframework.cloud.gateway.filter.GlobalFilter;
import org.springframework.cloud.gateway.route.RouteDefinition;
import org.springframework.context.annotation.Bean;
import org.springframework.web.reactive.DispatcherHandler;

/** Spring Cloud Gateway on WebFlux is where requests come in from the outside, and gives them the priority of their route. */
@AutoConfiguration(after = AetherAutoConfiguration.class)
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.REACTIVE)
@ConditionalOnClass({GlobalFilter.class, DispatcherHandler.class})
@ConditionalOnProperty(name = "spring.cloud.gateway.server.webflux.enabled", matchIfMissing = true)
@ConditionalOnBean(Housekeeping.class)
public final class AetherServerGatewayAutoConfiguration {

    @Bean
    @ConditionalOnMissingBean
    Ingress aetherIngress() {
        return new Ingress();
    }

    @Bean
    @ConditionalOnMissingBean
    RouteContextFilter aetherRouteContextFilter(ServerEntry entry, ObjectProvider<GatewayProperties> gateway) {
        gateway.ifAvailable(properties -> properties.getRoutes().forEach(AetherServerGatewayAutoConfiguration::check));
        return new RouteContextFilter(entry);
    }

    private static void check(RouteDefinition route) {
        Map<String, Object> metadata = route.getMetadata();
        try {
            RouteWords.priority(metadata);
            RouteWords.withinNanos(metadata);
        } catch (IllegalArgumentException e) {
            throw new WrongSettingException(
                    "Metadata of the gateway's route \"" + route.getId() + "\": " + e.getMessage(), e);
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.aether.starter.autoconfigure;

import io.aether.starter.server.HandlerPriorities;
import io.aether.starter.server.ServerEntry;
import io.aether.starter.server.webflux.FluxHandlers;
import io.aether.starter.server.webflux.NettyLoops;
import io.aether.starter.server.webflux.PrincipalWebFilter;
import io.aether.starter.server.webflux.ServerWebFilter;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.util.ClassUtils;
import org.springframework.web.reactive.DispatcherHandler;
import org.springframework.web.reactive.result.method.annotation.RequestMappingHandlerMapping;

/** The server's half of backpressure in reactive applications. */
@AutoConfiguration(after = AetherServerAutoConfiguration.class)
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.REACTIVE)
@ConditionalOnClass(DispatcherHandler.class)
@ConditionalOnBean(ServerEntry.class)
public final class AetherReactiveServerAutoConfiguration {
    /** Spring Security's filters stand at -100. */
    private static final int BEHIND_SECURITY = -99;

    @Bean
    @ConditionalOnMissingBean
    ServerWebFilter aetherServerWebFilter(ServerEntry entry) {
        boolean netty =
                ClassUtils.isPresent("reactor.netty.Connection", getClass().getClassLoader());
        return new ServerWebFilter(entry, netty ? NettyLoops::of : request -> null);
    }

    @Bean
    @ConditionalOnMissingBean
    @ConditionalOnProperty("aether.server.user.principal")
    PrincipalWebFilter aetherPrincipalWebFilter(ServerEntry entry) {
        return new PrincipalWebFilter(entry, BEHIND_SECURITY);
    }

    @Bean
    FluxHandlers aetherFluxHandlers(
            ObjectProvider<RequestMappingHandlerMapping> mappings, HandlerPriorities priorities) {
        return new FluxHandlers(mappings, priorities);
    }
}

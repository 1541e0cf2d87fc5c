// SPDX-License-Identifier: Apache-2.0
package io.aether.starter.autoconfigure;

import io.aether.starter.server.HandlerPriorities;
import io.aether.starter.server.OwnQueue;
import io.aether.starter.server.ServerEntry;
import io.aether.starter.server.servlet.MvcHandlers;
import io.aether.starter.server.servlet.PrincipalFilter;
import io.aether.starter.server.servlet.ServerFilter;
import io.aether.starter.server.servlet.TomcatThreads;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.tomcat.TomcatWebServer;
import org.springframework.boot.web.server.context.WebServerInitializedEvent;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.ApplicationListener;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.Ordered;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerMapping;

/** The server's half of backpressure in servlet applications. */
@AutoConfiguration(after = AetherServerAutoConfiguration.class)
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
@ConditionalOnClass(Filter.class)
@ConditionalOnBean(ServerEntry.class)
public final class AetherServletServerAutoConfiguration {
    /** Behind what measures, before all that costs anything. */
    private static final int ORDER = Ordered.HIGHEST_PRECEDENCE + 10;
    /** Spring Security's filters stand at -100. */
    private static final int BEHIND_SECURITY = -99;

    @Bean
    FilterRegistrationBean<ServerFilter> aetherServerFilter(ServerEntry entry) {
        FilterRegistrationBean<ServerFilter> filter = new FilterRegistrationBean<>(new ServerFilter(entry));
        filter.setDispatcherTypes(DispatcherType.REQUEST, DispatcherType.ASYNC);
        filter.setOrder(ORDER);
        return filter;
    }

    @Bean
    @ConditionalOnProperty("aether.server.user.principal")
    FilterRegistrationBean<PrincipalFilter> aetherPrincipalFilter(ServerEntry entry) {
        FilterRegistrationBean<PrincipalFilter> filter = new FilterRegistrationBean<>(new PrincipalFilter(entry));
        filter.setDispatcherTypes(DispatcherType.REQUEST);
        filter.setOrder(BEHIND_SECURITY);
        return filter;
    }

    /** With Spring MVC. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(RequestMappingHandlerMapping.class)
    static class Mvc {

        @Bean
        MvcHandlers aetherMvcHandlers(
                ObjectProvider<RequestMappingHandlerMapping> mappings, HandlerPriorities priorities) {
            return new MvcHandlers(mappings, priorities);
        }
    }

    /** With Tomcat, whose threads can be looked at. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(TomcatWebServer.class)
    static class Tomcat {

        @Bean
        ApplicationListener<WebServerInitializedEvent> aetherTomcatStart(OwnQueue queue) {
            return new TomcatStart(queue);
        }
    }

    private record TomcatStart(OwnQueue queue) implements ApplicationListener<WebServerInitializedEvent> {
        @Override
        public void onApplicationEvent(WebServerInitializedEvent event) {
            if (ServerStart.isMain(event)) {
                TomcatThreads.of(event.getWebServer(), queue);
            }
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.aether.starter.autoconfigure;

import io.aether.starter.limit.blocking.WaitInterceptor;
import io.aether.starter.limit.webclient.WaitFilter;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.restclient.RestClientCustomizer;
import org.springframework.boot.restclient.RestTemplateCustomizer;
import org.springframework.boot.webclient.WebClientCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Lets the clients that Spring Boot builds tell a server when its requests wait for others, balanced or not. */
@AutoConfiguration
@ConditionalOnWebApplication
@ConditionalOnAether
public final class AetherWaitAutoConfiguration {

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(RestClientCustomizer.class)
    static class Blocking {

        @Bean
        RestClientCustomizer aetherRestClientWaits() {
            return builder -> builder.requestInterceptor(new WaitInterceptor());
        }

        @Bean
        RestTemplateCustomizer aetherRestTemplateWaits() {
            return template -> template.getInterceptors().add(new WaitInterceptor());
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(WebClientCustomizer.class)
    static class Reactive {

        @Bean
        WebClientCustomizer aetherWebClientWaits() {
            return builder -> builder.filter(new WaitFilter());
        }
    }
}

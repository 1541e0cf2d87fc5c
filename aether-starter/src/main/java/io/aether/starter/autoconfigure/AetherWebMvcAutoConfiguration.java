// SPDX-License-Identifier: Apache-2.0
package io.aether.starter.autoconfigure;

import io.aether.starter.inflight.LifecycleFlights.StatusReader;
import io.aether.starter.limit.servlet.RefusalResolver;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.web.servlet.function.ServerResponse;

/** What only applications with Spring MVC need. */
@AutoConfiguration(before = AetherAutoConfiguration.class)
@ConditionalOnClass(ServerResponse.class)
@ConditionalOnAether
public final class AetherWebMvcAutoConfiguration {

    /** Reads the status of answers that Spring Cloud Gateway on WebMVC hands to a lifecycle. */
    @Bean
    @ConditionalOnMissingBean
    StatusReader aetherStatusReader() {
        return answer -> answer instanceof ServerResponse response
                ? response.statusCode().value()
                : -1;
    }

    @Bean
    @ConditionalOnMissingBean
    @ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
    RefusalResolver aetherRefusalResolver() {
        return new RefusalResolver();
    }
}

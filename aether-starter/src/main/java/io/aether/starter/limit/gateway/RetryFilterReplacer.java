// SPDX-License-Identifier: Apache-2.0
package io.aether.starter.limit.gateway;

import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.cloud.gateway.filter.factory.RetryGatewayFilterFactory;
import org.springframework.context.ApplicationEventPublisher;

/** Puts {@link GrantedRetryFilterFactory} in place of the gateway's own factory; one of the user's own stays. */
public final class RetryFilterReplacer implements BeanPostProcessor {

    private final ApplicationEventPublisher events;

    /** Creates it; the factory tells the publisher which routes need their bodies cached. */
    public RetryFilterReplacer(ApplicationEventPublisher events) {
        this.events = events;
    }

    @Override
    public Object postProcessAfterInitialization(Object bean, String name) {
        if (bean.getClass() != RetryGatewayFilterFactory.class) {
            return bean;
        }
        GrantedRetryFilterFactory granted = new GrantedRetryFilterFactory();
        granted.setApplicationEventPublisher(events);
        return granted;
    }
}

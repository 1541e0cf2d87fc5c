// SPDX-License-Identifier: Apache-2.0
package io.aether.starter.server.webflux;

import io.aether.starter.server.HandlerPriorities;
import io.aether.starter.server.HandlerPriorities.Handler;
import java.util.ArrayList;
import java.util.List;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.web.reactive.result.method.annotation.RequestMappingHandlerMapping;

/** Finds the priorities of Spring WebFlux's handler methods. */
public final class FluxHandlers implements SmartInitializingSingleton {

    private final ObjectProvider<RequestMappingHandlerMapping> mappings;
    private final HandlerPriorities priorities;

    /** Creates it; the container starts it. */
    public FluxHandlers(ObjectProvider<RequestMappingHandlerMapping> mappings, HandlerPriorities priorities) {
        this.mappings = mappings;
        this.priorities = priorities;
    }

    @Override
    public void afterSingletonsInstantiated() {
        List<Handler> found = new ArrayList<>();
        mappings.forEach(mapping -> mapping.getHandlerMethods()
                .forEach((info, handler) -> found.addAll(Handler.of(
                        info.getPatternsCondition().getPatterns(),
                        info.getMethodsCondition().getMethods(),
                        handler))));
        priorities.learn(found);
    }
}

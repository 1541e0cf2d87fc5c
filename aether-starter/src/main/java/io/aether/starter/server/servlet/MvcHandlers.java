// SPDX-License-Identifier: Apache-2.0
package io.aether.starter.server.servlet;

import io.aether.starter.server.HandlerPriorities;
import io.aether.starter.server.HandlerPriorities.Handler;
import java.util.ArrayList;
import java.util.List;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.web.servlet.mvc.condition.PathPatternsRequestCondition;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerMapping;

/** Finds the priorities of Spring MVC's handler methods. */
public final class MvcHandlers implements SmartInitializingSingleton {

    private final ObjectProvider<RequestMappingHandlerMapping> mappings;
    private final HandlerPriorities priorities;

    /** Creates it; the container starts it. */
    public MvcHandlers(ObjectProvider<RequestMappingHandlerMapping> mappings, HandlerPriorities priorities) {
        this.mappings = mappings;
        this.priorities = priorities;
    }

    @Override
    public void afterSingletonsInstantiated() {
        List<Handler> found = new ArrayList<>();
        mappings.forEach(mapping -> mapping.getHandlerMethods().forEach((info, handler) -> {
            PathPatternsRequestCondition paths = info.getPathPatternsCondition();
            if (paths != null) {
                found.addAll(Handler.of(
                        paths.getPatterns(), info.getMethodsCondition().getMethods(), handler));
            }
        }));
        priorities.learn(found);
    }
}

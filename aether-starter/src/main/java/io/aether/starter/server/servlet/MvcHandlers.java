// SPDX-License-Identifier: Apache-2.0
package io.aether.starter.server.servlet;

import io.aether.starter.server.HandlerPriorities;
import io.aether.starter.server.HandlerPriorities.Handler;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.web.bind.annotation.RequestMethod;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.servlet.mvc.condition.PathPatternsRequestCondition;
import org.springframework.web.servlet.mvc.method.RequestMappingInfo;
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
        mappings.stream()
                .forEach(mapping -> mapping.getHandlerMethods().forEach((info, handler) -> add(found, info, handler)));
        priorities.learn(found);
    }

    private static void add(List<Handler> found, RequestMappingInfo info, HandlerMethod handler) {
        PathPatternsRequestCondition paths = info.getPathPatternsCondition();
        if (paths != null) {
            Set<String> methods = info.getMethodsCondition().getMethods().stream()
                    .map(RequestMethod::name)
                    .collect(Collectors.toUnmodifiableSet());
            paths.getPatterns()
                    .forEach(path -> found.add(new Handler(
                            path, methods, HandlerPriorities.annotated(handler.getMethod(), handler.getBeanType()))));
        }
    }
}

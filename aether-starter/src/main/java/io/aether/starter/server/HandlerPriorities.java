// SPDX-License-Identifier: Apache-2.0
package io.aether.starter.server;

import io.aether.core.limit.Priority;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.http.server.PathContainer;
import org.springframework.web.bind.annotation.RequestMethod;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.util.pattern.PathPattern;

/**
 * The priorities that {@link RequestPriority} gives to handler methods, found before Spring looks for the handler: whoever is
 * refused then costs nothing more. Goes by path and HTTP method, and by the most specific pattern of all handlers, annotated
 * or not; other conditions of a mapping (parameters, headers, media types) are not looked at.
 *
 * <p>Filled once when the application starts, read by all threads.
 */
public final class HandlerPriorities {
    private static final Comparator<Handler> SPECIFIC_FIRST =
            Comparator.comparing(Handler::path, PathPattern.SPECIFICITY_COMPARATOR);

    private volatile List<Handler> annotated = List.of();
    private volatile List<Handler> all = List.of();

    /**
     * A handler method's mapping.
     *
     * @param methods HTTP methods by their names; empty for all
     */
    public record Handler(
            PathPattern path, Set<String> methods, @Nullable Priority priority) {

        /** One for each pattern of a handler method's mapping, whichever kind of server it is in. */
        public static List<Handler> of(Set<PathPattern> paths, Set<RequestMethod> methods, HandlerMethod handler) {
            Set<String> names = methods.stream().map(RequestMethod::name).collect(Collectors.toUnmodifiableSet());
            Priority priority = annotated(handler.getMethod(), handler.getBeanType());
            return paths.stream()
                    .map(path -> new Handler(path, names, priority))
                    .toList();
        }

        boolean matches(String method, PathContainer requested) {
            return (methods.isEmpty() || methods.contains(method)) && path.matches(requested);
        }
    }

    /** What the annotation says of a handler method; null without one. */
    public static @Nullable Priority annotated(Method method, Class<?> controller) {
        RequestPriority own = AnnotatedElementUtils.findMergedAnnotation(method, RequestPriority.class);
        RequestPriority common =
                own == null ? AnnotatedElementUtils.findMergedAnnotation(controller, RequestPriority.class) : own;
        return common == null ? null : common.value();
    }

    /** All handlers that there are. */
    public void learn(List<Handler> handlers) {
        List<Handler> sorted = new ArrayList<>(handlers);
        sorted.sort(SPECIFIC_FIRST);
        all = List.copyOf(sorted);
        annotated =
                sorted.stream().filter(handler -> handler.priority() != null).toList();
    }

    /** Whether there is anything to look for. */
    boolean none() {
        return annotated.isEmpty();
    }

    /** The priority of the handler that will get the request; null if none is annotated or known. */
    @Nullable
    Priority of(String method, PathContainer requested) {
        Handler best = first(annotated, method, requested);
        // Most requests end here: only where an annotated handler fits, a more specific one may take precedence.
        best = best == null ? null : first(all, method, requested);
        return best == null ? null : best.priority();
    }

    private static @Nullable Handler first(List<Handler> handlers, String method, PathContainer requested) {
        for (int i = 0; i < handlers.size(); i++) {
            if (handlers.get(i).matches(method, requested)) {
                return handlers.get(i);
            }
        }
        return null;
    }
}

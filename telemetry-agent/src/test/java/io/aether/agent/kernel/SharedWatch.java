// SPDX-License-Identifier: Apache-2.0
package io.aether.agent.kernel;

import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/** Hands out one {@link Watch} and one {@link Cable} for the whole run, so that loading and cabling is done once. */
final class SharedWatch implements ParameterResolver {
    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        Class<?> type = parameter.getParameter().getType();
        return type == Watch.class || type == Cable.class;
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
        ExtensionContext.Store store = context.getRoot().getStore(ExtensionContext.Namespace.create(SharedWatch.class));
        // The store closes what can be closed when the run ends, also after failures.
        if (parameter.getParameter().getType() == Watch.class) {
            return store.computeIfAbsent(Watch.class, key -> new Watch(), Watch.class);
        }
        return store.computeIfAbsent(Cable.class, key -> new Cable(), Cable.class);
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.aether.starter.context.propagation;

import io.aether.starter.context.RequestContext;
import io.aether.starter.context.RequestContexts;
import io.micrometer.context.ThreadLocalAccessor;
import org.jspecify.annotations.Nullable;

/** Tells Micrometer's context propagation where the request's context is; found by the service loader. */
public final class RequestContextAccessor implements ThreadLocalAccessor<RequestContext> {

    @Override
    public Object key() {
        return RequestContexts.KEY;
    }

    @Override
    public @Nullable RequestContext getValue() {
        return RequestContexts.onThread();
    }

    @Override
    public void setValue(RequestContext context) {
        RequestContexts.onThread(context);
    }

    @Override
    public void setValue() {
        RequestContexts.onThread(null);
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.aether.starter.context;

import org.jspecify.annotations.Nullable;
import reactor.util.context.Context;
import reactor.util.context.ContextView;

/**
 * Where the context of the request at hand is: on a thread, virtual ones too, in a thread-local that no other thread inherits
 * by itself; in a reactive chain under {@link #KEY}. With Micrometer's context propagation on the class path, its snapshots,
 * Spring's {@code ContextPropagatingTaskDecorator} and Reactor's automatic propagation carry it from one to the other.
 */
public final class RequestContexts {
    /** Of Reactor's context, and the name under which context propagation knows it. */
    public static final String KEY = "io.aether.request";

    private static final ThreadLocal<RequestContext> ON_THREAD = new ThreadLocal<>();

    private RequestContexts() {}

    /** The context of the thread's request; {@link RequestContext#NONE} if it works for none. */
    public static RequestContext current() {
        RequestContext context = ON_THREAD.get();
        return context == null ? RequestContext.NONE : context;
    }

    /** The context of a reactive chain's request; that of the thread, which may be the one that subscribes, if it has none. */
    public static RequestContext current(ContextView chain) {
        RequestContext context = chain.getOrDefault(KEY, null);
        return context == null ? current() : context;
    }

    /** For {@code contextWrite}: all that is above in the chain works for this request. */
    public static Context write(Context chain, RequestContext context) {
        return chain.put(KEY, context);
    }

    /** From now on the thread works for this request, until the scope is closed on the same thread. */
    public static Scope open(RequestContext context) {
        RequestContext before = ON_THREAD.get();
        ON_THREAD.set(context);
        return new Scope(before);
    }

    /** The thread's context, or null: for what carries it elsewhere. Others ask {@link #current()}. */
    public static @Nullable RequestContext onThread() {
        return ON_THREAD.get();
    }

    /** Puts a context that was carried here on the thread; null takes it off. Others use {@link #open}. */
    public static void onThread(@Nullable RequestContext context) {
        if (context == null) {
            ON_THREAD.remove();
        } else {
            ON_THREAD.set(context);
        }
    }

    /** Gives the thread back what it had. */
    public static final class Scope implements AutoCloseable {
        private final @Nullable RequestContext before;

        private Scope(@Nullable RequestContext before) {
            this.before = before;
        }

        @Override
        public void close() {
            onThread(before);
        }
    }
}

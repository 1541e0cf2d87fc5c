// SPDX-License-Identifier: Apache-2.0
package io.aether.starter.inflight;

import java.io.IOException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.nio.channels.UnresolvedAddressException;
import java.util.Locale;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** What counts as a failure of an instance. */
public enum FailureKind {
    /** Nobody accepts connections there: refused, no route, unknown host, connect timeout. */
    CONNECT,
    /** No answer in time. */
    TIMEOUT,
    /** The connection broke. */
    IO,
    /** Status 5xx. */
    SERVER_ERROR,
    /** Status 429. */
    REFUSED;

    private static final int MAX_CAUSES = 10;

    private final String tag = name().toLowerCase(Locale.ROOT).replace('_', '-');

    /** Value of the {@code kind} tag in metrics. */
    public String tag() {
        return tag;
    }

    /** The kind of {@code error}, or null when it says nothing about the instance (a bug of the caller, a full pool). */
    public static @Nullable FailureKind of(Throwable error) {
        Throwable cause = error;
        for (int i = 0; cause != null && i < MAX_CAUSES; i++) {
            FailureKind kind = direct(cause);
            if (kind != null) {
                return refine(kind, cause);
            }
            cause = cause.getCause();
        }
        return null;
    }

    private static @Nullable FailureKind direct(Throwable cause) {
        // By name where the class may not be there: Netty, the JDK's client, Apache's and the gateway each have
        // timeouts of
        // their own. A pool that has no connection left is the client's own shortage.
        String name = cause.getClass().getSimpleName();
        if (name.startsWith("PoolAcquire")) {
            return null;
        }
        if (cause instanceof ConnectException
                || cause instanceof NoRouteToHostException
                || cause instanceof UnknownHostException
                || cause instanceof UnresolvedAddressException
                || name.endsWith("ConnectTimeoutException")) {
            return CONNECT;
        }
        if (cause instanceof TimeoutException
                || cause instanceof SocketTimeoutException
                || name.endsWith("TimeoutException")) {
            return TIMEOUT;
        }
        return cause instanceof IOException ? IO : null;
    }

    /** An I/O error may wrap what really happened. */
    private static FailureKind refine(FailureKind kind, Throwable error) {
        Throwable cause = error.getCause();
        if (kind != IO || cause == null || cause == error) {
            return kind;
        }
        FailureKind deeper = of(cause);
        return deeper == null ? kind : deeper;
    }
}

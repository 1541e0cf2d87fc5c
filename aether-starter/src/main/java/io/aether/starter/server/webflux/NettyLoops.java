// SPDX-License-Identifier: Apache-2.0
package io.aether.starter.server.webflux;

import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.http.server.reactive.ServerHttpRequestDecorator;
import reactor.netty.Connection;

/** Knows the event loop of a request that came through Reactor Netty. */
public final class NettyLoops {

    private NettyLoops() {}

    /** The loop that reads the request's connection; null for another server's. */
    public static @Nullable Executor of(ServerHttpRequest request) {
        Object operations = ServerHttpRequestDecorator.getNativeRequest(request);
        return operations instanceof Connection connection
                ? connection.channel().eventLoop()
                : null;
    }
}

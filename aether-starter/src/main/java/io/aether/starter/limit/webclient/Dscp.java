// SPDX-License-Identifier: Apache-2.0
package io.aether.starter.limit.webclient;

import io.aether.core.limit.Priority;
import io.aether.starter.context.RequestContext;
import io.aether.starter.context.RequestContexts;
import io.netty.channel.Channel;
import io.netty.channel.ChannelOption;
import io.netty.util.AttributeKey;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import reactor.netty.Connection;
import reactor.netty.http.client.HttpClient;
import reactor.netty.http.client.HttpClientRequest;

/**
 * Tells the network of a request's priority: in the DSCP of the connection that carries it (RFC 4594, and RFC 8622 for BULK).
 * A pooled connection is told again when the next request differs; requests that run on one HTTP/2 connection at a time share
 * what the last one set. The two bits below, which are ECN's, are the kernel's own and stay.
 *
 * <p>Thread-safe. A connection that does not take it (a Unix socket) goes without.
 */
public final class Dscp {
    private static final Log LOG = LogFactory.getLog(Dscp.class);
    private static final AttributeKey<Integer> TOLD = AttributeKey.valueOf(Dscp.class, "told");
    private static final int ECN_BITS = 2;
    private static final int DEFAULT_FORWARDING = 0;

    private Dscp() {}

    /** {@code client}, whose connections tell the priority of the request they carry. */
    public static HttpClient on(HttpClient client) {
        return client.doOnRequest(Dscp::tell);
    }

    /** The DSCP of a priority: AF41, AF31, AF21, and lower effort. */
    public static int of(Priority priority) {
        return switch (priority) {
            case CRITICAL -> 34;
            case DEGRADED -> 26;
            case BEST_EFFORT -> 18;
            case BULK -> 1;
        };
    }

    private static void tell(HttpClientRequest request, Connection connection) {
        RequestContext context = RequestContexts.current(request.currentContextView());
        // Of what works for no request nobody said anything: it is not CRITICAL to the network.
        int dscp = context == RequestContext.NONE ? DEFAULT_FORWARDING : of(context.priority());
        Channel channel = connection.channel();
        Integer told = channel.attr(TOLD).get();
        if (dscp == (told == null ? DEFAULT_FORWARDING : told)) {
            return;
        }
        channel.attr(TOLD).set(dscp);
        try {
            channel.config().setOption(ChannelOption.IP_TOS, dscp << ECN_BITS);
        } catch (RuntimeException e) {
            LOG.debug("Cannot set the DSCP of " + channel, e);
        }
    }
}

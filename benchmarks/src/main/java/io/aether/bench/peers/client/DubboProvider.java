// SPDX-License-Identifier: Apache-2.0
package io.aether.bench.peers.client;

import java.net.InetSocketAddress;
import org.apache.dubbo.common.URL;
import org.apache.dubbo.rpc.Invocation;
import org.apache.dubbo.rpc.Invoker;
import org.apache.dubbo.rpc.Result;
import org.apache.dubbo.rpc.RpcInvocation;
import org.apache.dubbo.rpc.model.ServiceModel;

/**
 * A server as Dubbo's balancers know it: only its address is asked for.
 *
 * @param place in the list of servers
 */
public record DubboProvider(int place, URL url) implements Invoker<Object> {

    public DubboProvider(int place, InetSocketAddress server) {
        this(
                place,
                URL.valueOf("dubbo://" + server.getHostString() + ":" + server.getPort() + "/service?timeout="
                        + Client.TIMEOUT_MILLIS));
    }

    /** A call to whichever server is chosen. */
    public static RpcInvocation call() {
        return new RpcInvocation((ServiceModel) null, "get", "service", "service", new Class<?>[0], new Object[0]);
    }

    @Override
    public Class<Object> getInterface() {
        return Object.class;
    }

    @Override
    public Result invoke(Invocation invocation) {
        throw new UnsupportedOperationException("not called by a balancer");
    }

    @Override
    public URL getUrl() {
        return url;
    }

    @Override
    public boolean isAvailable() {
        return true;
    }

    @Override
    public void destroy() {}
}

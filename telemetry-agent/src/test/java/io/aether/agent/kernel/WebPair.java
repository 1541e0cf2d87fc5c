// SPDX-License-Identifier: Apache-2.0
package io.aether.agent.kernel;

import io.aether.core.table.EndpointHealth;

/** A server and a client of HTTP at the two ends of a cable, and what is seen of both. */
final class WebPair implements AutoCloseable {
    private final Watch watch;
    private final Cable cable;
    private final Traffic server;
    private final Traffic client;

    /** @param serverOptions of the server's JVM */
    WebPair(Watch watch, Cable cable, String... serverOptions) {
        this.watch = watch;
        this.cable = cable;
        cable.squeeze("1gbit", 1_000_000);
        server = Traffic.web(cable.server(), serverOptions);
        client = Traffic.web(cable.client());
    }

    /** Its port; the protocol is http, h2c, https or h2. */
    int serve(String protocol) {
        return Integer.parseInt(server.tell("serve " + protocol + " ::"));
    }

    /** So many requests, one after the other, each answered with this status after so many milliseconds. */
    void get(String protocol, String host, int port, int status, int millis, int times) {
        client.tell("get " + protocol + " " + host + " " + port + " " + status + " " + millis + " " + times);
    }

    EndpointHealth peer(String host, int port) {
        return watch.peer(cable.client(), host, port);
    }

    EndpointHealth local(int port) {
        return watch.local(cable.server(), port);
    }

    @Override
    public void close() {
        client.close();
        server.close();
    }
}

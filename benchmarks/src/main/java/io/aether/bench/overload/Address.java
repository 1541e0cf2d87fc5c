// SPDX-License-Identifier: Apache-2.0
package io.aether.bench.overload;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;

/**
 * Each client has an address of its own, by which the server's kernel tells clients apart, and sends to an address of the
 * server that nobody else sends to: so that the table of their common node counts the marks of each apart, as the tables
 * of a hundred nodes would.
 */
public final class Address {
    /** Most clients. */
    public static final int COUNT = 100;

    public static final int PREFIX = 16;

    private Address() {}

    /** The server's for one client. */
    public static InetAddress ofServer(int client) {
        return of(1, client);
    }

    /** A client's. */
    public static InetAddress ofClient(int client) {
        return of(2, client);
    }

    public static InetSocketAddress server(int client, int port) {
        return new InetSocketAddress(ofServer(client), port);
    }

    public static InetSocketAddress client(int client) {
        return new InetSocketAddress(ofClient(client), 0);
    }

    private static InetAddress of(int net, int client) {
        try {
            return InetAddress.getByAddress(new byte[] {10, 86, (byte) net, (byte) (client + 1)});
        } catch (UnknownHostException e) {
            throw new IllegalStateException(e); // Only for a wrong length.
        }
    }
}

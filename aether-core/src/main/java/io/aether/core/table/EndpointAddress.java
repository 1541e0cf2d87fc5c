// SPDX-License-Identifier: Apache-2.0
package io.aether.core.table;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * An address and port as the table's key holds them: 16 bytes, IPv4 as {@code ::ffff:a.b.c.d}, split into two
 * little-endian words. Immutable.
 */
public final class EndpointAddress {
    private final long hi;
    private final long lo;
    private final int port;

    /** Of the two words in which the table holds an address, and a port. */
    public EndpointAddress(long hi, long lo, int port) {
        this.hi = hi;
        this.lo = lo;
        this.port = port;
    }

    /** Of an address and a port in [0, 65535]. */
    public static EndpointAddress of(InetAddress address, int port) {
        Objects.checkIndex(port, 65536);
        byte[] bytes = address.getAddress();
        ByteBuffer words = ByteBuffer.allocate(16).order(ByteOrder.LITTLE_ENDIAN);
        if (bytes.length == 4) {
            words.put(10, (byte) 0xff).put(11, (byte) 0xff).put(12, bytes);
        } else {
            words.put(0, bytes);
        }
        return new EndpointAddress(words.getLong(0), words.getLong(8), port);
    }

    /**
     * Of a literal, with or without brackets; zones ({@code %eth0}) are ignored. Never asks a name server.
     *
     * @return null when the host is a name, or the port is out of range
     */
    public static @Nullable EndpointAddress parse(String host, int port) {
        if (port < 0 || port > 65535) {
            return null;
        }
        String literal = Literals.canonical(host);
        if (literal == null) {
            return null;
        }
        try {
            return of(InetAddress.getByName(literal), port);
        } catch (UnknownHostException e) {
            return null; // Looked like a literal and was none, such as 1:2.
        }
    }

    public long hi() {
        return hi;
    }

    public long lo() {
        return lo;
    }

    public int port() {
        return port;
    }

    /** The address alone, IPv4 without its mapping. */
    public InetAddress address() {
        byte[] bytes = ByteBuffer.allocate(16)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putLong(hi)
                .putLong(lo)
                .array();
        try {
            return InetAddress.getByAddress(bytes); // Turns mapped addresses into IPv4 itself.
        } catch (UnknownHostException e) {
            throw new IllegalStateException(e); // Only for a wrong length.
        }
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof EndpointAddress that && hi == that.hi && lo == that.lo && port == that.port;
    }

    @Override
    public int hashCode() {
        return Long.hashCode(TableLayout.hash(0, hi, lo, port, 0));
    }

    @Override
    public String toString() {
        String text = address().getHostAddress();
        return (text.indexOf(':') >= 0 ? "[" + text + "]" : text) + ":" + port;
    }
}

// SPDX-License-Identifier: Apache-2.0
package io.aether.agent.bpf;

import io.aether.core.table.EndpointAddress;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * A network of IPv4 or IPv6 addresses. Immutable; equal when it means the same addresses.
 *
 * @param network its first address
 * @param bits length of the prefix, 0 to 32 or 0 to 128
 */
public record Cidr(EndpointAddress network, int bits) {
    /** Length of one in the form that the native side takes. */
    static final int BYTES = 18;

    private static final int V4_BITS = 32;
    private static final int V6_BITS = 128;
    private static final String HINT = ": write 203.0.113.0/24, 2001:db8::/32 or one address";

    /**
     * Of {@code address/bits}, or of one address.
     *
     * @throws IllegalArgumentException naming the text and what is wrong with it; an address with bits behind the prefix is
     *     refused too, because it is as likely a slip of the length as of the address
     */
    public static Cidr parse(String text) {
        int slash = text.indexOf('/');
        EndpointAddress address = EndpointAddress.parse(slash < 0 ? text : text.substring(0, slash), 0);
        if (address == null) {
            throw new IllegalArgumentException("'" + shortened(text) + "' is not a network" + HINT);
        }
        int most = isV4(address) ? V4_BITS : V6_BITS;
        int bits = slash < 0 ? most : number(text.substring(slash + 1));
        if (bits < 0 || bits > most) {
            throw new IllegalArgumentException(
                    "'" + shortened(text) + "' has no prefix length from 0 to " + most + HINT);
        }
        Cidr masked = new Cidr(masked(address, bits + V6_BITS - most), bits);
        if (!masked.network.equals(address)) {
            throw new IllegalArgumentException(
                    "'" + shortened(text) + "' has bits behind its prefix: did you mean " + masked + "?");
        }
        return masked;
    }

    private static String shortened(String text) {
        return text.length() <= 64 ? text : text.substring(0, 64) + "...";
    }

    private static boolean isV4(EndpointAddress address) {
        return address.address() instanceof Inet4Address;
    }

    private static int number(String text) {
        return text.matches("\\d{1,3}") ? Integer.parseInt(text) : -1;
    }

    private static EndpointAddress masked(EndpointAddress address, int bits) {
        ByteBuffer bytes = bytes(address);
        for (int i = 0; i < 16; i++) {
            int kept = Math.max(0, Math.min(8, bits - 8 * i));
            bytes.put(i, (byte) (bytes.get(i) & 0xff00 >> kept));
        }
        return EndpointAddress.of(inet(bytes), 0);
    }

    private static InetAddress inet(ByteBuffer bytes) {
        byte[] address = new byte[16];
        bytes.get(0, address);
        try {
            return InetAddress.getByAddress(address);
        } catch (UnknownHostException e) {
            throw new IllegalStateException(e); // Only for a wrong length.
        }
    }

    private static ByteBuffer bytes(EndpointAddress address) {
        return ByteBuffer.allocate(16)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putLong(address.hi())
                .putLong(address.lo());
    }

    /** Whether every address of the other is in this one too. */
    public boolean covers(Cidr other) {
        return isV4(network) == isV4(other.network)
                && bits <= other.bits
                && masked(other.network, mappedBits()).equals(network);
    }

    private int mappedBits() {
        return isV4(network) ? bits + V6_BITS - V4_BITS : bits;
    }

    /** In the form that the native side takes, with flags of its own. */
    void put(ByteBuffer to, int flags) {
        to.put((byte) mappedBits()).put(bytes(network).array()).put((byte) flags);
    }

    /** The next one of those that {@link #put} wrote. */
    static Cidr take(ByteBuffer from) {
        int bits = from.get() & 0xff;
        byte[] address = new byte[16];
        from.get(address).get(); // and the flags
        EndpointAddress network = EndpointAddress.of(inet(ByteBuffer.wrap(address)), 0);
        return new Cidr(network, isV4(network) ? bits - V6_BITS + V4_BITS : bits);
    }

    /** As {@link #parse} takes it; the length is left out for one address. */
    @Override
    public String toString() {
        boolean v4 = isV4(network);
        String address = network.address().getHostAddress();
        return bits == (v4 ? V4_BITS : V6_BITS) ? address : address + "/" + bits;
    }
}
